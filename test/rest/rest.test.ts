import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { restTools, type Served, serveRest } from '../helpers/serve-rest.js'

let served: Served
beforeAll(async () => {
  served = await serveRest()
})
afterAll(() => served.close())

describe('GET /api/v1/tools', () => {
  it('lists what there is, sorted, with schemas', async () => {
    const { status, json } = await served.ask('GET', '/api/v1/tools')
    expect(status).toBe(200)
    expect(json.total).toBe(6)
    expect(json.tools.map(({ id }: { id: string }) => id)).toEqual(['add', 'echo', 'fail', 'refuse', 'say', 'steps'])
    expect(json.tools[0]).toMatchObject({ name: 'add', tags: ['math'], inputSchema: { type: 'object' } })
  })

  it('leaves out schemas in a summary', async () => {
    const { json } = await served.ask('GET', '/api/v1/tools?detail=summary')
    expect(json.tools[0].inputSchema).toBeUndefined()
  })

  it('filters by tag, category, source and id pattern', async () => {
    const ids = async (query: string) =>
      (await served.ask('GET', `/api/v1/tools?${query}`)).json.tools.map(({ id }: { id: string }) => id)
    expect(await ids('tag=math')).toEqual(['add'])
    expect(await ids('category=arithmetic')).toEqual(['add'])
    expect(await ids('source=nowhere')).toEqual([])
    expect(await ids('id=s*,echo')).toEqual(['echo', 'say', 'steps'])
  })

  it('pages by cursors that survive a change of the list', async () => {
    const own = await serveRest({ gateway: createGateway({ tools: restTools() }) })
    const first = await own.ask('GET', '/api/v1/tools?limit=2')
    own.gateway.unregister('echo')
    const rest = await own.ask('GET', `/api/v1/tools?cursor=${first.json.nextCursor}`)
    expect(first.json.tools.map(({ id }: { id: string }) => id)).toEqual(['add', 'echo'])
    expect(rest.json.tools.map(({ id }: { id: string }) => id)).toEqual(['fail', 'refuse', 'say', 'steps'])
    await own.close()
  })

  it('answers 304 to a known ETag until the catalog or the rules change', async () => {
    const own = await serveRest({ gateway: createGateway({ tools: restTools() }) })
    const { headers } = await own.ask('GET', '/api/v1/tools')
    const etag = headers.get('etag')!
    const again = () => own.ask('GET', '/api/v1/tools', undefined, { 'if-none-match': etag })
    expect((await again()).status).toBe(304)
    own.gateway.register(defineTool({ name: 'new', handler: () => 1 }))
    expect((await again()).status).toBe(200)
    own.gateway.unregister('new')
    own.gateway.policy.update({ deny: ['add'] })
    expect((await again()).status).toBe(200)
    await own.close()
  })

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=NaN',
    'limit=1&limit=2',
    'sort=name',
    'a[__proto__]=x',
    'cursor=%25%25',
    'format=cobol',
  ])('refuses ?%s with 400 (H77, H83, H84)', async (query) => {
    const { status, json } = await served.ask('GET', `/api/v1/tools?${query}`)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ code: 'REQUEST_INVALID', requestId: expect.any(String) })
  })
})

describe('GET /api/v1/tools/{id}', () => {
  it('describes a tool with its use', async () => {
    await served.ask('POST', '/api/v1/tools/say/call')
    const { json } = await served.ask('GET', '/api/v1/tools/say')
    expect(json).toMatchObject({ id: 'say', usage: { count: expect.any(Number), temperature: expect.any(String) } })
    expect(json.usage.count).toBeGreaterThan(0)
  })

  it('takes odd ids, percent-encoded', async () => {
    const own = await serveRest({
      gateway: createGateway({ tools: [defineTool({ name: 'a/b ü', handler: () => 'odd' })] }),
    })
    expect((await own.ask('GET', `/api/v1/tools/${encodeURIComponent('a/b ü')}`)).json.id).toBe('a/b ü')
    await own.close()
  })

  it('answers 404 alike for hidden and absent tools', async () => {
    const own = await serveRest({ gateway: createGateway({ tools: restTools(), rules: { deny: ['add'] } }) })
    const [hidden, absent] = [await own.ask('GET', '/api/v1/tools/add'), await own.ask('GET', '/api/v1/tools/nope')]
    expect(hidden.status).toBe(404)
    expect(hidden.json.error.message.replace('add', 'nope')).toBe(absent.json.error.message)
    await own.close()
  })
})

describe('POST /api/v1/tools/{id}/call', () => {
  it('calls with flat arguments and answers as MCP does', async () => {
    const { status, json } = await served.ask('POST', '/api/v1/tools/add/call', { a: 40, b: 2 })
    expect(status).toBe(200)
    expect(json.structuredContent).toEqual({ sum: 42 })
  })

  it('gives the bare value where asked', async () => {
    expect((await served.ask('POST', '/api/v1/tools/add/call?result=value', { a: 1, b: 2 })).json).toEqual({ sum: 3 })
    expect((await served.ask('POST', '/api/v1/tools/say/call?result=value')).json).toBe('hello')
  })

  it('takes an empty body for no arguments', async () => {
    expect((await served.ask('POST', '/api/v1/tools/say/call')).json.content[0].text).toBe('hello')
  })

  it('answers 200 where the tool itself says no, 502 where it fails', async () => {
    expect((await served.ask('POST', '/api/v1/tools/refuse/call')).json.isError).toBe(true)
    const failed = await served.ask('POST', '/api/v1/tools/fail/call')
    expect([failed.status, failed.json.error.code]).toEqual([502, 'TOOL_FAILED'])
    expect(failed.text).not.toMatch(/\.ts|\bat /)
  })

  it('answers 400 for wrong arguments, naming the place', async () => {
    const { status, json } = await served.ask('POST', '/api/v1/tools/add/call', { a: 'x' })
    expect([status, json.error.code]).toEqual([400, 'ARGUMENTS_INVALID'])
    expect(json.error.details.problems.length).toBeGreaterThan(0)
  })

  it('streams progress and then the result', async () => {
    const { text, headers } = await served.ask('POST', '/api/v1/tools/steps/call?stream', {})
    expect(headers.get('content-type')).toBe('text/event-stream')
    const events = text
      .split('\n\n')
      .filter((event) => event.includes('data: '))
      .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
    expect(events.map(({ type }) => type)).toEqual(['progress', 'progress', 'result'])
    expect(events[2].result.content[0].text).toBe('done')
  })

  it('keeps __proto__ as data', async () => {
    const { json } = await served.ask('POST', '/api/v1/tools/echo/call', '{"__proto__":{"own":1}}')
    expect(JSON.stringify(json.structuredContent)).toBe('{"__proto__":{"own":1}}')
  })

  it.each([
    ['not JSON', '{', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['a form (H88)', 'a=1', 'application/x-www-form-urlencoded', 415],
    ['text', '{}', 'text/plain', 415],
    ['a repeated key', '{"a":1,"a":2}', 'application/json', 400],
    ['deep nesting', `${'['.repeat(70)}${']'.repeat(70)}`, 'application/json', 400],
    ['a number too long', '{"a":12345678901234567890}', 'application/json', 400],
  ])('refuses %s', async (_name, body, type, wanted) => {
    expect((await served.ask('POST', '/api/v1/tools/echo/call', body, { 'content-type': type })).status).toBe(wanted)
  })
})

describe('POST /api/v1/calls', () => {
  it('gives each call its own outcome, in order', async () => {
    const { json } = await served.ask('POST', '/api/v1/calls', {
      calls: [
        { id: '1', tool: 'add', arguments: { a: 1, b: 1 } },
        { tool: 'nope' },
        { id: '3', tool: 'say', arguments: {} },
      ],
      concurrency: 2,
    })
    expect(json.results.map(({ ok, status }: { ok: boolean; status: number }) => [ok, status])).toEqual([
      [true, 200],
      [false, 404],
      [true, 200],
    ])
    expect(json.results[1].error.code).toBe('TOOL_NOT_FOUND')
  })

  it('refuses an empty and an endless batch', async () => {
    expect((await served.ask('POST', '/api/v1/calls', { calls: [] })).status).toBe(400)
    const calls = Array.from({ length: 129 }, () => ({ tool: 'say' }))
    expect((await served.ask('POST', '/api/v1/calls', { calls })).status).toBe(400)
  })
})

describe('POST /api/v1/search', () => {
  it('finds tools, in a provider’s words where asked', async () => {
    const { json } = await served.ask('POST', '/api/v1/search', { query: 'add numbers', limit: 1 })
    expect(json.results[0]).toMatchObject({ tool: { id: 'add' }, score: expect.any(Number) })
    const asked = await served.ask('POST', '/api/v1/search', { query: 'add numbers', limit: 1, format: 'anthropic' })
    expect(asked.json.results[0].tool).toMatchObject({ name: 'add', input_schema: { type: 'object' } })
  })

  it('says what there is to ask for where nothing is found, and which matches are too weak to trust', async () => {
    const search = async (query: string) => (await served.ask('POST', '/api/v1/search', { query })).json
    expect(await search('qwertyuiop')).toMatchObject({
      results: [],
      notice: expect.stringMatching(/No tool matches/),
      areas: [
        { category: 'general', tools: 5 },
        { category: 'arithmetic', tools: 1, examples: ['add'] },
      ],
    })
    const weak = await search('the numbers of barbers who repair bicycles in the rain of autumn')
    expect([weak.match, weak.results[0].match]).toEqual(['weak', 'weak'])
    const sure = await search('add two numbers')
    expect([sure.match, sure.results[0].match, sure.areas]).toEqual([undefined, undefined, undefined])
  })
})

describe('GET /api/v1/sources', () => {
  it('tells states', async () => {
    expect((await served.ask('GET', '/api/v1/sources')).json.sources).toEqual([
      { name: 'local', kind: 'functions', namespace: '', state: 'ready', tools: 6 },
    ])
  })
})

describe('profiles', () => {
  it('show their tools and no others, and bind keys to them', async () => {
    const gateway = createGateway({ tools: restTools(), rules: { profiles: { calm: { allow: ['say'] } } } })
    const own = await serveRest({
      gateway,
      findProfile: (name) => (['default', 'calm'].includes(name) ? {} : undefined),
    })
    expect((await own.ask('GET', '/api/v1/tools?profile=calm')).json.total).toBe(1)
    expect((await own.ask('POST', '/api/v1/tools/add/call?profile=calm', { a: 1, b: 1 })).status).toBe(404)
    const missing = await own.ask('GET', '/api/v1/tools?profile=nope')
    expect([missing.status, missing.json.error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await own.ask('POST', '/api/v1/search?profile=calm', { query: 'add numbers' })).json.results).toEqual([])
    await own.close()
    const bound = await serveRest({
      gateway: createGateway({ tools: restTools(), rules: { profiles: { calm: { allow: ['say'] } } } }),
      findProfile: (name) => (['default', 'calm'].includes(name) ? {} : undefined),
      host: { authenticate: () => ({ caller: { id: 'k', rights: ['discover', 'call'], profile: 'calm' } }) },
    })
    expect((await bound.ask('GET', '/api/v1/tools?profile=default')).status).toBe(404)
    expect((await bound.ask('GET', '/api/v1/tools')).json.total).toBe(1)
    expect((await bound.ask('GET', '/api/v1/sources')).json.sources).toHaveLength(1)
    await bound.close()
  })
})

describe('errors', () => {
  it('are told in Chinese by X-Language and Accept-Language', async () => {
    const zh = await served.ask('POST', '/api/v1/tools/add/call', { a: 'x' }, { 'x-language': 'zh-CN' })
    expect(zh.json.error.message).toMatch(/^参数校验失败：/)
    expect(zh.headers.get('content-language')).toBe('zh-Hans')
    const accepted = await served.ask('GET', '/api/v1/tools/nope', undefined, {
      'accept-language': 'en;q=0.3, zh-CN;q=0.9',
    })
    expect(accepted.json.error).toMatchObject({ code: 'TOOL_NOT_FOUND', message: '未找到工具：nope。' })
    expect((await served.ask('GET', '/api/v1/tools/nope')).json.error.message).toMatch(/^Tool not found/)
  })
})

import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const workshop = fileURLToPath(new URL('./servers/workshop.mjs', import.meta.url))

describe('a call by hand over the admin API (G4)', () => {
  let server: OpenedAdmin
  let key: string
  beforeAll(async () => {
    const source = { type: 'stdio', command: process.execPath, args: [workshop] }
    server = await openAdminServer(
      JSON.stringify({ sources: { workshop: source }, profiles: { default: {}, narrow: { allow: ['workshop.ask'] } } }),
    )
    key = await server.key('admin')
    await vi.waitUntil(async () => (await call('counted')).ok === true, { timeout: 30_000, interval: 100 })
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())
  const call = async (name: string, body: object = {}, as = key): Promise<any> =>
    (await server.ask('POST', `/tools/workshop.${name}/call`, { key: as, body: { args: {}, ...body } })).body

  it('is refused a question where its caller does not say that it answers any', async () => {
    const { ok, result } = await call('ask')
    expect(ok).toBe(true)
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('did not declare') }] })
  })

  it('is asked, waits, and goes on with the answer, once', async () => {
    const asked = await call('ask', { asks: true })
    expect(asked).toMatchObject({ ok: false, state: expect.any(String), questions: [{ method: 'elicitation/create' }] })
    const [{ key: name, params }] = asked.questions
    expect(params).toMatchObject({ message: 'Who are you?', requestedSchema: { required: ['name'] } })
    expect((await server.ask('GET', '/parked', { key })).body.calls).toHaveLength(1)
    const answers = { [name]: { action: 'accept', content: { name: 'Ann' } } }
    // For whoever it was asked of, and for the same call alone.
    const other = await server.key('operator')
    expect((await call('ask', { asks: true, state: asked.state, answers }, other)).error).toBeDefined()
    expect((await call('ask_page', { asks: true, state: asked.state, answers })).error).toBeDefined()
    const done = await call('ask', { asks: true, state: asked.state, answers })
    expect(JSON.parse(done.result.content[0].text)).toEqual(answers[name])
    const again = await server.ask('POST', '/tools/workshop.ask/call', {
      ...{ key, body: { args: {}, asks: true, state: asked.state, answers } },
    })
    expect(again.body.error.code).toBe('CALL_CANCELLED')
    expect(again.status).toBeGreaterThanOrEqual(400)
    expect((await server.ask('GET', '/parked', { key })).body.calls).toEqual([])
  })

  it('is never asked for a model, whatever the tool wants', async () => {
    const { result } = await call('ask_model', { asks: true })
    expect(result.content[0].text).toContain('sampling/createMessage')
  })

  it('tells its progress to whoever reads events, and ends with them', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${server.url}/api/admin/v1/tools/workshop.count/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ args: {}, asks: true }),
      signal: leaving.signal,
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const { value } = await response.body!.pipeThrough(new TextDecoderStream()).getReader().read()
    expect(value).toBe('event: progress\ndata: {"progress":2,"total":5,"message":"two of five"}\n\n')
    leaving.abort()
    await vi.waitUntil(async () => (await call('counted')).result.content[0].text === 'cancelled')
  })

  it('is checked before it is sent, with the place of what does not fit', async () => {
    const args = { customer: { email: 'nobody' }, lines: [], delivery: { kind: 'pickup', at: 'now' }, more: 1 }
    const { body } = await server.ask('POST', '/tools/workshop.order/check', { key, body: { args } })
    const found = body.problems.map(({ path, keyword }: { path: string; keyword: string }) => `${path} ${keyword}`)
    expect(found).toEqual(
      expect.arrayContaining([
        ...['/customer/name required', '/customer/email format', '/lines minItems', '/more additionalProperties'],
      ]),
    )
    expect(JSON.stringify(body)).not.toContain('nobody')
    const missing = await server.ask('POST', '/tools/nothing/check', { key, body: { args } })
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'TOOL_NOT_FOUND' } } })
  })

  it('begins with an example that fits, and is known by what it does and who sees it', async () => {
    const { body } = await server.ask('GET', '/tools/workshop.order', { key })
    const checked = await server.ask('POST', '/tools/workshop.order/check', { key, body: { args: body.example } })
    expect(checked.body.problems).toEqual([])
    expect(body.hints).toEqual([
      { does: 'destructive', by: 'source' },
      { does: 'openWorld', by: 'source' },
    ])
    expect(body.profiles).toEqual([
      { name: 'default', sees: true },
      { name: 'narrow', sees: false, why: 'lists' },
    ])
    const rows = (await server.ask('GET', '/tools?profile=narrow', { key })).body.tools
    const row = (name: string) => rows.find(({ id }: { id: string }) => id === `workshop.${name}`)
    expect([row('ask').leftOut, row('order').leftOut]).toEqual([undefined, true])
  })

  it('has snippets for clients that name the profile, the address one came by, and never a key', async () => {
    const ask = async (query: string) => (await server.ask('GET', `/clients?${query}`, { key })).body
    const { url, needs, snippets } = await ask('profile=narrow&at=http%3A%2F%2Fbox.local%3A9000%2F&platform=win32')
    expect([url, needs]).toEqual(['http://box.local:9000/mcp/narrow', 'nothing'])
    const ids = snippets.map(({ id }: { id: string }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(10)
    const cursor = snippets.find(({ id }: { id: string }) => id === 'cursor')
    expect(JSON.parse(cursor.text).mcpServers['pegboard-narrow'].url).toBe(url)
    expect(cursor.file).toBe('%USERPROFILE%\\.cursor\\mcp.json')
    const withKey = await ask('key=1&at=javascript%3Aalert(1)')
    expect(withKey.variable).toBe('PEGBOARD_KEY')
    expect(JSON.stringify(withKey)).not.toMatch(/javascript:|rtk_/)
    const codex = withKey.snippets.find(({ id }: { id: string }) => id === 'codex')
    expect(codex.text).toContain('bearer_token_env_var = "PEGBOARD_KEY"')
    expect((await server.ask('GET', '/clients?profile=none', { key })).status).toBe(404)
  })
})

import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../helpers/store-samples.js'
import { openStream, type ServedKeys, serveKeys } from './serve-keys.js'

const newFolder = temporaryFolders()
const served: ServedKeys[] = []
afterEach(async () => {
  for (const each of served.splice(0)) await each.close()
})

const profiles = {
  default: { expose: 'hybrid', names: 'exact', pin: ['calculator', 'text_stats'] },
  small: {
    expose: 'hybrid',
    pin: ['calculator', 'text_stats'],
    allow: ['calculator'],
    names: 'exact',
  },
}
const start = async (): Promise<ServedKeys> => {
  const folder = await newFolder()
  const each = await serveKeys({ profiles }, folder, join(folder, 'pegboard.json'))
  served.push(each)
  return each
}
const call = (name: string, args: object) => ['tools/call', { name, arguments: args }] as const
const textOf = (answer: { readonly body: any }): string =>
  answer.body?.result?.content?.[0]?.text ?? answer.body?.error?.message ?? ''

describe('keys over MCP (002 compat 9)', () => {
  it('are asked for, each refusal with its own text and status 401', async () => {
    const { ask, keys } = await start()
    const gone = await keys.create({ name: 'gone' })
    await keys.revoke(gone.record.id)
    const cases = [
      [undefined, /^API Key is required/],
      ['rtk_short', /^Invalid API Key: a key is/],
      [`rtk_${'0'.repeat(64)}`, /^Invalid API Key: there is no/],
      [gone.key, /^Invalid API Key: it has been revoked/],
    ] as const
    for (const [key, text] of cases) {
      const answer = await ask(key, 'tools/list')
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.body.error).toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringMatching(text) })
      if (key !== undefined) expect(JSON.stringify(answer.body)).not.toContain(key)
    }
  })

  it('of two profiles keep what they register apart (D7, 002-20)', async () => {
    const { ask, keys } = await start()
    const a = await keys.create({ name: 'a', permission: 'write', profile: 'small' })
    const b = await keys.create({ name: 'b', permission: 'write' })
    const tool = { name: 'secret_a', description: 'What only small may find' }
    const path = '/mcp/small'
    expect(textOf(await ask(a.key, ...call('register_tool', tool), path))).toContain('"success": true')
    const search = call('search_tools', { query: 'what only small may find' })
    expect(textOf(await ask(a.key, ...search, path))).toContain('secret_a')
    expect(textOf(await ask(b.key, ...search))).not.toContain('secret_a')
    const remove = call('unregister_tool', { tool_name: 'secret_a' })
    expect(textOf(await ask(b.key, ...remove))).toContain('工具不存在: secret_a')
    expect(textOf(await ask(b.key, ...call('register_tool', tool)))).toContain('"success": true')
    expect(textOf(await ask(a.key, ...remove, path))).toContain('已成功注销')
  })

  it('of permission read search and call, but do not register; write does', async () => {
    const { ask, keys } = await start()
    const read = await keys.create({ name: 'r' })
    const write = await keys.create({ name: 'w', permission: 'write' })
    expect(textOf(await ask(read.key, ...call('calculator', { expression: '6*7' })))).toContain('42')
    const tool = { name: 'later', description: 'Something for later' }
    const refused = await ask(read.key, ...call('register_tool', tool))
    expect(refused.body.result.isError).toBe(true)
    expect(textOf(refused)).toContain('Insufficient permissions: ')
    expect(textOf(await ask(write.key, ...call('register_tool', tool)))).toContain('later')
    expect(textOf(await ask(read.key, ...call('unregister_tool', { tool_name: 'later' })))).toContain(
      'Insufficient permissions: ',
    )
  })
})

describe('a key tied to a profile (T6, A7)', () => {
  it('sees that profile and no other, by no name and no way round', async () => {
    const { ask, keys } = await start()
    const { key } = await keys.create({ name: 's', profile: 'small' })
    const names = (await ask(key, 'tools/list')).body.result.tools.map((tool: { name: string }) => tool.name)
    expect(names).toContain('calculator')
    expect(names).not.toContain('text_stats')
    expect((await ask(key, 'tools/list', {}, '/mcp/default')).status).toBe(404)
    expect((await ask(key, 'tools/list', {}, '/mcp/small')).status).toBe(200)
    const absent = textOf(await ask(key, ...call('no_such_tool', {})))
    for (const name of ['text_stats', 'TEXT_STATS', 'local.text_stats']) {
      const answer = await ask(key, ...call(name, { text: 'x' }))
      expect(textOf(answer)).toBe(absent.replaceAll('no_such_tool', name))
    }
    const around = (name: string) => ask(key, ...call('call_tool', { tool_name: name, arguments: { text: 'x' } }))
    expect(textOf(await around('text_stats'))).toBe(
      textOf(await around('no_such_tool')).replaceAll('no_such_tool', 'text_stats'),
    )
    expect(textOf(await ask(key, ...call('search_tools', { query: 'count words in a text' })))).not.toContain(
      'text_stats',
    )
    expect(textOf(await ask(key, ...call('get_tool_definition', { tool_name: 'text_stats' })))).not.toContain('words')
  })
})

describe('revoking a key (A8)', () => {
  it('ends the stream of a session, and the session', async () => {
    const { url, ask, keys } = await start()
    const { key, record } = await keys.create({ name: 'a' })
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const session = (await ask(key, 'initialize', initialize)).headers.get('mcp-session-id')!
    const stream = await openStream(`${url}/mcp`, { headers: { 'x-api-key': key, 'mcp-session-id': session } })
    expect(stream.response.statusCode).toBe(200)
    await keys.revoke(record.id)
    await stream.ended
    expect((await ask(key, 'tools/list')).status).toBe(401)
  })

  it("ends a modern client's subscription, and nobody else's", async () => {
    const { url, keys } = await start()
    const first = await keys.create({ name: 'a' })
    const second = await keys.create({ name: 'b' })
    const streams = await Promise.all([first, second].map(({ key }) => openStream(`${url}/mcp`, listening(key))))
    for (const { response } of streams) expect(response.headers['content-type']).toBe('text/event-stream')
    await keys.revoke(first.record.id)
    await streams[0]!.ended
    expect(streams[1]!.response.destroyed).toBe(false)
    await keys.revoke(second.record.id)
    await streams[1]!.ended
  })
})

const listening = (key: string) => ({
  method: 'POST',
  headers: {
    'x-api-key': key,
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'subscriptions/listen',
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      },
    },
  }),
})

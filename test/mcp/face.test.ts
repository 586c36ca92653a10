import { afterEach, describe, expect, it } from 'vitest'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { fixtureGateway } from '../helpers/fixture-tools.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}

let served: ServedFixture
afterEach(() => served?.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly messages: any[]
  readonly last: any
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const messages = isStream
    ? text
        .split('\n\n')
        .filter((event) => event.startsWith('data: '))
        .map((event) => JSON.parse(event.slice(6)))
    : text === ''
      ? []
      : [JSON.parse(text)]
  return { status: response.status, headers: response.headers, messages, last: messages.at(-1) }
}

const post = (body: unknown, headers: Record<string, string> = {}, path = '') =>
  fetch(served.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }).then(read)

const modern = (
  method: string,
  params: Record<string, unknown> = {},
  more: { headers?: Record<string, string>; meta?: object; id?: unknown } = {},
) => {
  const name = params.name ?? params.uri
  return post(
    { jsonrpc: '2.0', id: more.id ?? 1, method, params: { ...params, _meta: { ...modernMeta, ...more.meta } } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...more.headers,
    },
  )
}
const legacy = (
  method: string,
  params?: Record<string, unknown>,
  headers: Record<string, string> = {},
  id: unknown = 1,
) => post({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }, headers)

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
const initialize = async () => {
  const answer = await legacy('initialize', hello)
  return {
    answer,
    session: { 'mcp-session-id': answer.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-11-25' },
  }
}

describe('the MCP endpoint for modern clients', () => {
  it('discovers, lists and calls without any session', async () => {
    served = await serveFixture()
    const discovered = await modern('server/discover')
    expect(discovered.last.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      cacheScope: 'private',
    })
    expect(discovered.headers.get('mcp-session-id')).toBeNull()
    const listed = await modern('tools/list')
    expect(listed.last.result).toMatchObject({
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: 'private',
    })
    expect(listed.last.result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'add',
      'echo',
      'fail',
      'hang',
      'list',
      'steps',
    ])
    const called = await modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })
    expect(called.last).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: '3' }],
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'pegboard' } },
      },
    })
  })

  it('keeps any structured content as it is', async () => {
    served = await serveFixture()
    const called = await modern('tools/call', { name: 'list' })
    expect(called.last.result.structuredContent).toEqual([1, 2, 3])
  })

  it('answers a tool’s failure and bad arguments as results, an unknown tool as -32602 (R58)', async () => {
    served = await serveFixture()
    expect((await modern('tools/call', { name: 'fail' })).last.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('boom') }],
    })
    expect((await modern('tools/call', { name: 'add', arguments: { a: 'x' } })).last.result).toMatchObject({
      isError: true,
    })
    expect((await modern('tools/call', { name: 'nope' })).last.error).toMatchObject({
      code: -32602,
      message: 'Unknown tool: nope',
    })
  })

  it('streams progress before the answer', async () => {
    served = await serveFixture()
    const { messages } = await modern('tools/call', { name: 'steps' }, { meta: { progressToken: 'p1' } })
    expect(messages.map((message) => message.params?.progress ?? message.result.content[0].text)).toEqual([
      1,
      2,
      'done',
    ])
    expect(messages[0].params).toEqual({ progressToken: 'p1', progress: 1, total: 2, message: 'one' })
  })

  it.each([
    ['a missing Mcp-Method', { 'mcp-method': '' }, 400, -32020],
    ['a wrong Mcp-Name', { 'mcp-name': 'other' }, 400, -32020],
    ['a wrong version header', { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
  ])('refuses %s', async (_what, headers, status, code) => {
    served = await serveFixture()
    const answer = await modern('tools/call', { name: 'add', arguments: { a: 1, b: 1 } }, { headers })
    expect([answer.status, answer.last.error.code]).toEqual([status, code])
  })

  it('refuses methods of the other era with 404 and unknown versions with what it speaks', async () => {
    served = await serveFixture()
    for (const method of ['initialize', 'ping', 'no/such'])
      expect(await modern(method)).toMatchObject({ status: 404, last: { error: { code: -32601 } } })
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    expect(await modern('tools/list', {}, { meta, headers: { 'mcp-protocol-version': '2099-01-01' } })).toMatchObject({
      status: 400,
      last: { error: { code: -32022, data: { supported: ['2026-07-28'] } } },
    })
  })

  it('F22 cancels the call when the client leaves', async () => {
    const gateway = fixtureGateway()
    served = await serveFixture(gateway)
    const ended = new Promise((resolve) => gateway.onCall(resolve))
    const leaving = new AbortController()
    const started = new Promise<void>((resolve) =>
      gateway.register(
        defineTool({
          name: 'wait',
          handler: (_args, { signal }) => {
            resolve()
            return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))))
          },
        }),
      ),
    )
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', _meta: modernMeta },
    })
    const headers = {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'wait',
    }
    const asked = fetch(served.url, { method: 'POST', signal: leaving.signal, headers, body }).catch(() => 'left')
    await started
    leaving.abort()
    expect(await asked).toBe('left')
    expect(await ended).toMatchObject({ code: 'CALL_CANCELLED' })
  })

  it('acknowledges a subscription, tells of changes with its id, and ends it gracefully', async () => {
    served = await serveFixture()
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 's1',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true, promptsListChanged: true }, _meta: modernMeta },
    })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    }
    const response = await fetch(served.url, { method: 'POST', headers, body })
    served.gateway.register(defineTool({ name: 'extra', handler: () => 1 }))
    const whole = read(response)
    await served.close()
    const { messages } = await whole
    expect(messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { 'io.modelcontextprotocol/subscriptionId': 's1' } },
    })
    expect(messages[1]).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 's1' } },
    })
    expect(messages.at(-1)).toMatchObject({ id: 's1', result: { resultType: 'complete' } })
  })
})

describe('the MCP endpoint for legacy clients', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'shakes hands in %s and begins a session',
    async (protocolVersion) => {
      served = await serveFixture()
      const answer = await legacy('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      })
      expect(answer.last.result).toEqual({
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'pegboard', version: '0.0.0' },
      })
      expect(answer.headers.get('mcp-session-id')).toMatch(/^pb1\.[A-Za-z0-9_-]{100,1020}$/)
    },
  )

  it('lists and calls in the session, without anything only the modern era knows', async () => {
    served = await serveFixture()
    const { session } = await initialize()
    const listed = await legacy('tools/list', undefined, session)
    expect(Object.keys(listed.last.result)).toEqual(['tools'])
    const called = await legacy('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, session)
    expect(called.last.result).toEqual({ content: [{ type: 'text', text: '3' }] })
    expect((await legacy('ping', undefined, session)).last.result).toEqual({})
  })

  it('wraps structured content and output schemas that are no objects', async () => {
    served = await serveFixture()
    const { session } = await initialize()
    const listed = await legacy('tools/list', {}, session)
    const tool = listed.last.result.tools.find((each: { name: string }) => each.name === 'list')
    expect(tool.outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array' } },
      required: ['result'],
    })
    expect((await legacy('tools/call', { name: 'list' }, session)).last.result.structuredContent).toEqual({
      result: [1, 2, 3],
    })
  })

  it('X4 echoes ids as they came, zero and strings included', async () => {
    served = await serveFixture()
    for (const id of [0, -1, 'abc', '7']) expect((await legacy('ping', {}, {}, id)).last.id).toBe(id)
  })

  it('T8 answers 404 for a session that does not exist, and ends one on DELETE', async () => {
    served = await serveFixture()
    const { session } = await initialize()
    expect((await legacy('ping', {}, { 'mcp-session-id': 'made-up' })).status).toBe(404)
    expect((await fetch(served.url, { method: 'DELETE', headers: session })).status).toBe(204)
    expect((await legacy('ping', {}, session)).status).toBe(404)
  })

  it('cancels by notification, and only in its own session (R47)', async () => {
    const gateway = fixtureGateway()
    served = await serveFixture(gateway)
    const mine = (await initialize()).session
    const other = (await initialize()).session
    const ended: string[] = []
    gateway.onCall((record) => ended.push(String(record.code)))
    const hanging = legacy('tools/call', { name: 'hang' }, mine, 42)
    const cancel = (session: Record<string, string>) =>
      post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 42 } }, session)
    expect((await cancel(other)).status).toBe(202)
    expect(ended).toEqual([])
    // The request is under way once the session counts it; until then a cancellation would find nothing.
    while (!ended.length) await cancel(mine)
    expect(ended).toEqual(['CALL_CANCELLED'])
    expect((await hanging).last?.result).toBeUndefined()
  })

  it('tells of changes on the session’s stream', async () => {
    served = await serveFixture()
    const { session } = await initialize()
    const stream = await fetch(served.url, { headers: { ...session, accept: 'text/event-stream' } })
    expect(stream.status).toBe(200)
    served.gateway.register(defineTool({ name: 'extra', handler: () => 1 }))
    const reader = stream.body!.getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toContain('notifications/tools/list_changed')
    await reader.cancel()
  })

  it('F33 makes room for new sessions by letting go of the one unused for longest, which comes back by its id', async () => {
    served = await serveFixture(fixtureGateway(), { sessions: { maxSessions: 2 } })
    const [first, second] = [(await initialize()).session, (await initialize()).session]
    await legacy('ping', {}, first)
    await initialize()
    expect((await legacy('ping', {}, first)).status).toBe(200)
    const held: string[] = []
    served.endpoint.sessions.each(({ id }) => held.push(id))
    expect(held).toContain(first['mcp-session-id'])
    expect(held).not.toContain(second['mcp-session-id'])
    expect((await legacy('ping', {}, second)).status).toBe(200)
    expect(served.endpoint.sessions.size).toBe(2)
  })

  it('F33 never ends a session that is in use: where all are, a new one is refused until one is free', async () => {
    served = await serveFixture(fixtureGateway(), { sessions: { maxSessions: 1 } })
    const { session } = await initialize()
    const leaving = new AbortController()
    const stream = await fetch(served.url, {
      headers: { ...session, accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    expect(stream.status).toBe(200)
    const refused = await legacy('initialize', hello)
    expect([refused.status, refused.last.error.message]).toEqual([503, expect.stringContaining('maxSessions')])
    expect((await legacy('ping', {}, session)).status).toBe(200)
    leaving.abort()
    await expect.poll(async () => (await legacy('initialize', hello)).status).toBe(200)
  })

  it('forgets sessions that nobody used for as long as was said, at once where that changes', async () => {
    const clock = new VirtualClock()
    served = await serveFixture(fixtureGateway(), { clock, sessions: { sessionIdleMs: 600_000 } })
    const { session } = await initialize()
    await clock.advance(500_000)
    expect((await legacy('ping', {}, session)).status).toBe(200)
    await clock.advance(500_000)
    expect(served.endpoint.sessions.size).toBe(1)
    served.endpoint.limit({ sessionIdleMs: 1000 })
    await clock.advance(60_000)
    expect(served.endpoint.sessions.size).toBe(0)
  })

  it('refuses a stream beyond the bound of all, in both eras, and has room again when one ends', async () => {
    served = await serveFixture(fixtureGateway(), { sessions: { maxStreams: 1 } })
    const { session } = await initialize()
    const open = (signal?: AbortSignal) =>
      fetch(served.url, { headers: { ...session, accept: 'text/event-stream' }, signal: signal ?? null })
    const leaving = new AbortController()
    expect((await open()).status).toBe(200)
    // A client's newer stream takes the place of its older one, and no more room.
    expect((await open(leaving.signal)).status).toBe(200)
    const other = (await initialize()).session
    const refused = await read(await fetch(served.url, { headers: { ...other, accept: 'text/event-stream' } }))
    expect([refused.status, refused.last.error.message]).toEqual([503, expect.stringContaining('maxStreams')])
    const listening = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect([listening.status, listening.last.error.message]).toEqual([503, expect.stringContaining('maxStreams')])
    leaving.abort()
    await expect
      .poll(async () => {
        const again = await fetch(served.url, { headers: { ...other, accept: 'text/event-stream' } })
        await again.body?.cancel()
        return again.status
      })
      .toBe(200)
  })
})

describe('the MCP endpoint for everybody', () => {
  it.each([
    ['no JSON', 'nonsense', 400, -32700],
    ['a batch', '[]', 400, -32600],
    ['no version', '{"id":1,"method":"ping"}', 400, -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['a duplicate key', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', 400, -32600],
    [
      'deep nesting',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      400,
      -32600,
    ],
  ])('R31 refuses %s and goes on', async (_what, body, status, code) => {
    served = await serveFixture()
    const answer = await post(body)
    expect([answer.status, answer.last.error.code]).toEqual([status, code])
    expect((await legacy('ping')).status).toBe(200)
  })

  it('answers notifications with 202 and nothing', async () => {
    served = await serveFixture()
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([answer.status, answer.messages]).toEqual([202, []])
  })

  it('R54 R55 refuses what it cannot read or the client could not', async () => {
    served = await serveFixture()
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('{}', { accept: 'text/html' })).status).toBe(406)
    expect((await legacy('ping', {}, { accept: '*/*' })).status).toBe(200)
    expect((await fetch(served.url)).status).toBe(405)
    expect(
      (
        await fetch(`${served.url}/no-such-profile`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(404)
  })

  it('pages a long list and refuses a foreign cursor (R65)', async () => {
    served = await serveFixture(fixtureGateway(), {
      findProfile: () => ({ naming: { style: 'safe', namespacing: true, collisions: 'hash' }, maxListBytes: 200 }),
    })
    const names: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const { last } = await legacy('tools/list', cursor === undefined ? {} : { cursor })
      names.push(...last.result.tools.map((tool: { name: string }) => tool.name))
      cursor = last.result.nextCursor
      pages += 1
    } while (cursor !== undefined)
    expect(pages).toBeGreaterThan(1)
    expect(names).toEqual(['add', 'echo', 'fail', 'hang', 'list', 'steps'])
    expect((await legacy('tools/list', { cursor: 'nonsense' })).last.error.code).toBe(-32602)
  })

  it('T7 gives 50 clients with equal ids no foreign answer in 2,000 calls', async () => {
    served = await serveFixture()
    const foreign: string[] = []
    let calls = 0
    const client = async (number: number) => {
      for (let id = 0; id < 40; id++) {
        const nonce = `${number}/${id}`
        const { last } = await legacy('tools/call', { name: 'echo', arguments: { nonce } }, {}, id)
        if (last.id !== id || JSON.parse(last.result.content[0].text).nonce !== nonce) foreign.push(nonce)
        calls += 1
      }
    }
    await Promise.all(Array.from({ length: 50 }, (_, number) => client(number)))
    expect({ calls, foreign }).toEqual({ calls: 2000, foreign: [] })
  })
})

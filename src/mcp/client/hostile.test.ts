import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/virtual-clock.js'
import { sourceLimits } from '../parse.js'
import type { ClientPeer, ClientPeerOptions } from './client-peer.js'
import { createHttpTransport, type HttpTransportOptions } from './http-transport.js'
import { createClientPeer } from './peer.js'
import { createSseTransport } from './sse-transport.js'

const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

type Script = (message: Message, response: ServerResponse, request: IncomingMessage) => void

const listen = async (handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clean.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const json = (response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

const result = (response: ServerResponse, id: unknown, value: unknown): void =>
  json(response, { jsonrpc: '2.0', id, result: value })

const sse = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response
}

const event = (value: unknown, id?: string): string => `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(value)}\n\n`

/** A modern source that answers `server/discover` well and leaves the rest to the script. */
const modern =
  (script: Script): Script =>
  (message, response, request) => {
    if (message.method !== 'server/discover') return script(message, response, request)
    result(response, message.id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} })
  }

/** A legacy source with a session; GET has no stream. */
const legacy =
  (script: Script, session = 's-1'): Script =>
  (message, response, request) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
    } else if (message.method === 'server/discover')
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request' } }, 400)
    else if (message.method === 'initialize') {
      const value = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'raw', version: '1' } }
      json(response, { jsonrpc: '2.0', id: message.id, result: value }, 200, { 'mcp-session-id': session })
    } else if (message.method === 'notifications/initialized') response.writeHead(202).end()
    else script(message, response, request)
  }

const serve = (script: Script): Promise<string> =>
  listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      script(text ? JSON.parse(text) : { method: '' }, response, request)
    })
  })

const connect = (
  url: string,
  options: Partial<ClientPeerOptions> = {},
  http: Partial<HttpTransportOptions> = {},
): ClientPeer => {
  const limits = { ...sourceLimits, maxBytes: 256 * 1024 }
  const clock = options.clock ? { clock: options.clock } : {}
  const transport = createHttpTransport({ url, limits, ...clock, ...http })
  const peer = createClientPeer(transport, { clientInfo: { name: 't', version: '1' }, ...options })
  clean.push(() => peer.close())
  return peer
}

/** The first `tools/call` gets what the script says, all others a good answer; whatever happened, the next must work (F17). */
const faulty = (fault: Script): Script => {
  let calls = 0
  return modern((message, response, request) => {
    if (message.method === 'tools/call' && calls++ === 0) fault(message, response, request)
    else result(response, message.id, { content: [] })
  })
}

describe('a hostile HTTP source', () => {
  const forever = (response: ServerResponse, head: string): void => {
    response.write(head)
    const chunk = 'x'.repeat(64 * 1024)
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  }

  const faults: readonly (readonly [string, Script, Record<string, unknown>])[] = [
    ['one endless event (F18)', (_m, r) => forever(sse(r), 'data: '), { code: 'RESULT_TOO_LARGE' }],
    [
      'one endless JSON string (F18)',
      (_m, r) => forever(r.writeHead(200, { 'content-type': 'application/json' }), '{"a":"'),
      { code: 'RESULT_TOO_LARGE' },
    ],
    [
      'a length beyond the limit',
      (_m, r) =>
        void r.writeHead(200, { 'content-type': 'application/json', 'content-length': '999999999' }).write('{'),
      { code: 'RESULT_TOO_LARGE' },
    ],
    [
      'a gzip bomb (T31)',
      (_m, r) =>
        void r
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(1_000_000))),
      { code: 'RESULT_INVALID' },
    ],
    [
      'JSON 100,000 deep (T29)',
      (m, r) =>
        void r
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":${m.id},"result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      { code: 'RESULT_INVALID' },
    ],
    [
      'no JSON',
      (_m, r) => void r.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
      { code: 'RESULT_INVALID' },
    ],
    [
      'broken UTF-8',
      (_m, r) => void r.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22])),
      { code: 'RESULT_INVALID' },
    ],
    [
      'a web page',
      (_m, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      { code: 'RESULT_INVALID', details: { type: 'text/html' } },
    ],
    ['204', (_m, r) => void r.writeHead(204).end(), { code: 'RESULT_INVALID' }],
    ['202 to a request', (_m, r) => void r.writeHead(202).end(), { code: 'RESULT_INVALID' }],
    [
      '500 with a page',
      (_m, r) => void r.writeHead(500, { 'content-type': 'text/html' }).end('<p>'),
      { code: 'SOURCE_UNAVAILABLE', notSent: false, details: { status: 500 } },
    ],
    [
      '429',
      (_m, r) => void r.writeHead(429, { 'retry-after': '7' }).end(),
      { code: 'SOURCE_UNAVAILABLE', notSent: true, retryAfterMs: 7000 },
    ],
    [
      '401',
      (_m, r) => void r.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="x"' }).end(),
      { notSent: true, details: { status: 401, wwwAuthenticate: 'Bearer resource_metadata="x"' } },
    ],
    [
      'a redirect',
      (_m, r) => void r.writeHead(307, { location: 'http://evil.test/x?token=1' }).end(),
      { code: 'SOURCE_UNAVAILABLE', message: expect.stringMatching(/redirects to http:\/\/evil\.test, which/) },
    ],
    ['a reset before the headers', (_m, r) => void r.socket?.destroy(), { code: 'SOURCE_UNAVAILABLE', notSent: false }],
    [
      'a body that stops',
      (_m, r) => {
        r.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
        r.socket?.destroySoon()
      },
      { code: 'SOURCE_UNAVAILABLE', notSent: false },
    ],
    [
      'a stream that ends without an answer',
      (_m, r) => void sse(r).end(event({ jsonrpc: '2.0', method: 'notifications/message' })),
      { code: 'SOURCE_UNAVAILABLE', notSent: false },
    ],
    ['an answer under another id', (_m, r) => result(r, 999, {}), { code: 'SOURCE_UNAVAILABLE' }],
    ['a result that is no object', (m, r) => result(r, m.id, [1]), { code: 'RESULT_INVALID' }],
    [
      'result and error at once',
      (m, r) => json(r, { jsonrpc: '2.0', id: m.id, result: {}, error: { code: 1, message: 'm' } }),
      { code: 'RESULT_INVALID' },
    ],
    [
      'an error without code',
      (m, r) => json(r, { jsonrpc: '2.0', id: m.id, error: { message: 'm' } }),
      { code: 'RESULT_INVALID' },
    ],
    [
      'an error without id',
      (_m, r) =>
        json(
          r,
          { jsonrpc: '2.0', id: null, error: { code: -32021, message: 'm', data: { requiredCapabilities: {} } } },
          400,
        ),
      { name: 'RpcError', code: -32021, data: { requiredCapabilities: {} } },
    ],
    [
      'an event 1,000 deep',
      (m, r) =>
        void sse(r).write(`data: {"jsonrpc":"2.0","id":${m.id},"result":${'['.repeat(1000)}${']'.repeat(1000)}}\n\n`),
      { code: 'RESULT_INVALID' },
    ],
    ['a batch', (m, r) => json(r, [{ jsonrpc: '2.0', id: m.id, result: {} }]), { code: 'RESULT_INVALID' }],
  ]
  it.each(faults)('sends %s: one coded error, and the next call works (F17)', async (_name, fault, expected) => {
    const peer = connect(await serve(faulty(fault)))
    await expect(peer.request('tools/call', { name: 'x' })).rejects.toMatchObject(expected)
    expect(await peer.request('tools/call', { name: 'x' })).toEqual({ content: [] })
  })

  it('is not running: the request surely was not sent', async () => {
    const url = await serve(modern(() => {}))
    const peer = connect(url.replace(/:\d+/, ':1'))
    await expect(peer.request('tools/call')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })

  it('drips one byte at a time: the deadline ends it', async () => {
    const clock = new VirtualClock()
    let started = () => {}
    const dripping = new Promise<void>((resolve) => {
      started = resolve
    })
    const url = await serve(
      faulty((_message, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(' ', () => started())
        const drip = (): void => {
          if (response.destroyed) return
          response.write(' ')
          setImmediate(drip)
        }
        drip()
      }),
    )
    const peer = connect(url, { clock })
    const refused = expect(peer.request('tools/call', {}, { timeoutMs: 500 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      notSent: false,
    })
    await dripping
    await clock.advance(500)
    await refused
    expect(await peer.request('tools/call')).toEqual({ content: [] })
    expect(clock.pendingTimers).toBe(0)
  })

  it('answers in bytes that are no HTTP at all', async () => {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.end('SSH-2.0-OpenSSH_9.6\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    clean.push(() => server.close())
    const peer = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
  })

  it('counts answers nobody asked for, and keeps them away (R43)', async () => {
    const url = await serve(
      modern((message, response) => {
        const stream = sse(response)
        stream.write(event({ jsonrpc: '2.0', id: 77, result: { of: 'someone else' } }))
        stream.write('data: not json\n\n')
        stream.write(
          event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 5, progress: 1 } }),
        )
        stream.write(event({ jsonrpc: '2.0', id: message.id, result: { mine: true } }))
        stream.end(event({ jsonrpc: '2.0', id: message.id, result: { again: true } }))
      }),
    )
    const peer = connect(url)
    expect(await peer.request('tools/call')).toEqual({ mine: true })
    await peer.ping()
    expect(peer.stats).toEqual({ foreignAnswers: 1, noise: 1, lateAnswers: 1, droppedProgress: 1 })
  })

  it('hears only growing progress (R48)', async () => {
    const url = await serve(
      modern((message, response) => {
        const { progressToken } = message.params!._meta as Record<string, unknown>
        const stream = sse(response)
        for (const progress of [1, 3, 2, 3, 'x', 4]) {
          stream.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } }))
        }
        stream.end(event({ jsonrpc: '2.0', id: message.id, result: {} }))
      }),
    )
    const peer = connect(url)
    const seen: number[] = []
    await peer.request('tools/call', {}, { onProgress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1, 3, 4])
  })

  it('does not end a stream whose answer has come: we do, and the connection is not leaked', async () => {
    const clock = new VirtualClock()
    let closed = () => {}
    const ended = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await serve(
      modern((message, response) => {
        response.on('close', closed)
        sse(response).write(event({ jsonrpc: '2.0', id: message.id, result: { ok: true } }))
      }),
    )
    const peer = connect(url, { clock })
    expect(await peer.request('tools/call')).toEqual({ ok: true })
    await clock.advance(1000)
    await ended
  })
})

describe('what a modern source sees', () => {
  it('gets the headers and the metadata of this hop, and no compression is asked for', async () => {
    let seen: { headers: IncomingMessage['headers']; message: Message } | undefined
    const url = await serve(
      modern((message, response, request) => {
        seen = { headers: request.headers, message }
        result(response, message.id, {})
      }),
    )
    const peer = connect(
      url,
      { capabilities: { a: {} } },
      { headers: { Authorization: 'Bearer x', 'Accept-Encoding': 'gzip', 'Mcp-Session-Id': 'forged' } },
    )
    const args = { region: '北' }
    await peer.request(
      'tools/call',
      { name: 'tool é', arguments: args },
      {
        meta: { traceparent: '00-1', 'io.modelcontextprotocol/clientInfo': { name: 'caller' }, progressToken: 9 },
        headerParams: [{ header: 'Region', path: ['region'], type: 'string' }],
        capabilities: { elicitation: {} },
        logLevel: 'debug',
      },
    )
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer x',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?dG9vbCDDqQ==?=',
      'mcp-param-region': '=?base64?5YyX?=',
    })
    expect(seen?.headers).not.toHaveProperty('accept-encoding')
    expect(seen?.headers).not.toHaveProperty('mcp-session-id')
    expect(seen?.message.params).toEqual({
      name: 'tool é',
      arguments: args,
      _meta: {
        traceparent: '00-1',
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
        'io.modelcontextprotocol/logLevel': 'debug',
      },
    })
  })
})

describe('era probe over HTTP', () => {
  it.each([401, 403, 408, 429, 500, 502, 503])('takes %i for no evidence and remembers nothing', async (status) => {
    let refuse = true
    const good = modern((message, response) => result(response, message.id, {}))
    const url = await serve((message, response, request) => {
      if (refuse) json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'm' } }, status)
      else good(message, response, request)
    })
    const peer = connect(url)
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    expect(peer.verdict).toBeUndefined()
    refuse = false
    expect(await peer.connect()).toMatchObject({ era: 'modern' })
  })

  it.each([
    ['-32601 on 200', 200, -32601],
    ['-32601 on 404', 404, -32601],
    ['-32600 on 400', 400, -32600],
  ])('takes %s for legacy', async (_name, status, code) => {
    const url = await serve((message, response, request) => {
      if (message.method === 'server/discover')
        json(response, { jsonrpc: '2.0', id: message.id, error: { code, message: 'm' } }, status)
      else legacy(() => {})(message, response, request)
    })
    expect(await connect(url).connect()).toMatchObject({ era: 'legacy', version: '2025-06-18' })
  })

  it('takes a discover answer without our version for legacy', async () => {
    const url = await serve((message, response, request) => {
      if (message.method === 'server/discover')
        result(response, message.id, { supportedVersions: ['2025-11-25'], capabilities: {} })
      else legacy(() => {})(message, response, request)
    })
    expect(await connect(url).connect()).toMatchObject({ era: 'legacy' })
  })

  it('takes -32021 for modern', async () => {
    const url = await serve((message, response) =>
      json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32021, message: 'm' } }, 400),
    )
    expect(await connect(url).connect()).toMatchObject({ era: 'modern' })
  })

  it('asks again once when a modern source begins to answer as a legacy one', async () => {
    let script: Script = modern((message, response) => result(response, message.id, { from: 'modern' }))
    const seen: string[] = []
    const url = await serve((message, response, request) => {
      seen.push(message.method)
      script(message, response, request)
    })
    const peer = connect(url)
    expect(await peer.request('tools/list')).toEqual({ from: 'modern' })
    const old = legacy((message, response) => result(response, message.id, { from: 'legacy' }))
    script = (message, response, request) => {
      const needsSession = message.method === 'tools/list' && request.headers['mcp-session-id'] === undefined
      if (needsSession)
        json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } }, 400)
      else old(message, response, request)
    }
    expect(await peer.request('tools/list')).toEqual({ from: 'legacy' })
    expect(peer.verdict).toMatchObject({ era: 'legacy' })
    expect(seen.filter((method) => method === 'tools/list')).toHaveLength(3)
  })

  it('does not believe a modern source to have changed every minute anew', async () => {
    const methods: string[] = []
    const discover = modern((_message, response) => void response.writeHead(404).end())
    const url = await serve((message, response, request) => {
      methods.push(message.method)
      discover(message, response, request)
    })
    const peer = connect(url)
    for (let turn = 0; turn < 3; turn++)
      await expect(peer.request('tools/list')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(2)
  })

  it.each(['9999', 3, undefined])(
    'refuses the version %j in an answer to initialize (R49)',
    async (protocolVersion) => {
      const url = await serve((message, response) => {
        if (message.method === 'initialize') result(response, message.id, { protocolVersion, capabilities: {} })
        else response.writeHead(404).end()
      })
      await expect(connect(url).connect()).rejects.toMatchObject({ name: 'GatewayError' })
    },
  )
})

describe('a legacy HTTP session', () => {
  it('goes with every request and is deleted at the end', async () => {
    const seen: (readonly [string | undefined, unknown, unknown])[] = []
    const url = await serve(legacy((message, response) => result(response, message.id, {})))
    const spy = await listen((request, response) => {
      seen.push([request.method, request.headers['mcp-session-id'], request.headers['mcp-protocol-version']])
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => name.startsWith('mcp') || name === 'content-type'),
        ) as Record<string, string>
        const answer = await fetch(url, {
          method: request.method!,
          headers,
          ...(chunks.length ? { body: Buffer.concat(chunks) } : {}),
        })
        const session = answer.headers.get('mcp-session-id')
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? '',
          ...(session ? { 'mcp-session-id': session } : {}),
        })
        response.end(await answer.text())
      })
    })
    const peer = connect(spy, { era: 'legacy' })
    await peer.request('tools/list')
    await peer.close()
    const posts = seen.filter(([method]) => method === 'POST')
    expect(posts.map(([, session]) => session)).toEqual([undefined, 's-1', 's-1'])
    expect(posts.map(([, , version]) => version)).toEqual([undefined, '2025-06-18', '2025-06-18'])
    expect(seen).toContainEqual(['DELETE', 's-1', '2025-06-18'])
  })

  const restarting = () => {
    let session = 1
    let initialised = 0
    const script: Script = (message, response, request) => {
      if (message.method === 'initialize') initialised++
      const inner = legacy((asked, answer, { headers }) => {
        if (headers['mcp-session-id'] === `s-${session}`) result(answer, asked.id, { session })
        else json(answer, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404)
      }, `s-${session}`)
      inner(message, response, request)
    }
    return { script, restart: () => session++, initialised: () => initialised }
  }

  it('that is lost is made anew once for everyone, and each request sent again', async () => {
    const world = restarting()
    let resyncs = 0
    const peer = connect(await serve(world.script), { era: 'legacy', onResync: () => resyncs++ })
    expect(await peer.request('tools/call')).toEqual({ session: 1 })
    world.restart()
    const results = await Promise.all(Array.from({ length: 20 }, () => peer.request('tools/call')))
    expect(results).toEqual(Array(20).fill({ session: 2 }))
    expect(world.initialised()).toBe(2)
    expect(resyncs).toBe(1)
  })

  it('that is lost again at once ends in an error that says nothing ran', async () => {
    const url = await serve(legacy((_message, response) => void response.writeHead(404).end()))
    const peer = connect(url, { era: 'legacy' })
    await expect(peer.request('tools/call')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })

  it('may be resumed where a stream broke off', async () => {
    const clock = new VirtualClock()
    const posts: string[] = []
    const inner = legacy((message, response) => {
      posts.push(String(message.id))
      sse(response).end(`retry: 500\nid: e1\ndata:\n\n`)
    })
    const url = await serve((message, response, request) => {
      if (request.method !== 'GET') inner(message, response, request)
      else if (request.headers['last-event-id'] === 'e1') {
        sse(response).end(event({ jsonrpc: '2.0', id: Number(posts[0]), result: { resumed: true } }, 'e2'))
      } else response.writeHead(405).end()
    })
    const peer = connect(url, { clock, era: 'legacy' })
    const call = peer.request('tools/call')
    let done = false
    void call.finally(() => {
      done = true
    })
    while (!done) await clock.advance(100)
    expect(await call).toEqual({ resumed: true })
  })

  it('keeps its stream of announcements open through drops', async () => {
    const clock = new VirtualClock()
    const heard: string[] = []
    let streams = 0
    let resyncs = 0
    const inner = legacy((message, response) => result(response, message.id, {}))
    const url = await serve((message, response, request) => {
      if (request.method !== 'GET') return inner(message, response, request)
      sse(response).end(event({ jsonrpc: '2.0', method: `stream ${++streams}` }))
    })
    const peer = connect(url, {
      clock,
      era: 'legacy',
      onNotification: ({ method }) => heard.push(method),
      onResync: () => resyncs++,
    })
    await peer.connect()
    while (heard.length < 3) await clock.advance(500)
    expect(heard.slice(0, 3)).toEqual(['stream 1', 'stream 2', 'stream 3'])
    expect(resyncs).toBeGreaterThanOrEqual(2)
  })

  it.each(['a b', 'x'.repeat(1025)])('with an id that no header can carry is refused (R57)', async (session) => {
    const url = await serve(legacy(() => {}, session))
    await expect(connect(url, { era: 'legacy' }).connect()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })
})

describe('requests of a legacy source (R67)', () => {
  const asking = (method: string) => {
    const answers: Message[] = []
    let answered = () => {}
    const done = new Promise<void>((resolve) => {
      answered = resolve
    })
    const script = legacy((message, response) => {
      if (message.method === undefined) {
        answers.push(message)
        response.writeHead(202).end()
        answered()
      } else {
        const stream = sse(response)
        stream.write(event({ jsonrpc: '2.0', id: 'q-0', method, params: {} }))
        void done.then(() => stream.end(event({ jsonrpc: '2.0', id: message.id, result: {} })))
      }
    })
    return { script, answers }
  }

  it('ping is answered, anything nobody handles is refused', async () => {
    for (const [method, expected] of [
      ['ping', { result: {} }],
      ['sampling/createMessage', { error: { code: -32601 } }],
    ] as const) {
      const { script, answers } = asking(method)
      await connect(await serve(script), { era: 'legacy' }).request('tools/call')
      expect(answers).toMatchObject([{ id: 'q-0', ...expected }])
    }
  })

  it('go to the handler of the request whose stream they came on', async () => {
    const { script, answers } = asking('elicitation/create')
    const peer = connect(await serve(script), { era: 'legacy', onRequest: () => ({ from: 'the peer' }) })
    await peer.request('tools/call', {}, { onRequest: () => ({ from: 'the request' }) })
    expect(answers).toMatchObject([{ id: 'q-0', result: { from: 'the request' } }])
  })
})

describe('listAll', () => {
  const pages = (page: (cursor: unknown) => unknown) =>
    serve(modern((message, response) => result(response, message.id, page(message.params?.cursor))))

  it('refuses a list that names a cursor twice, or never ends (R66)', async () => {
    await expect(
      connect(await pages(() => ({ tools: [], nextCursor: 'x' }))).listAll('tools/list', 'tools'),
    ).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    const counting = await pages((cursor) => ({ tools: [{}], nextCursor: String(Number(cursor ?? 0) + 1) }))
    await expect(connect(counting).listAll('tools/list', 'tools', { maxPages: 20 })).rejects.toMatchObject({
      code: 'RESULT_INVALID',
    })
    await expect(connect(counting).listAll('tools/list', 'tools', { maxItems: 20 })).rejects.toMatchObject({
      code: 'LIST_TOO_LARGE',
    })
    await expect(connect(counting).listAll('tools/list', 'tools', { maxBytes: 500 })).rejects.toMatchObject({
      code: 'LIST_TOO_LARGE',
    })
    await expect(connect(await pages(() => ({ tools: 3 }))).listAll('tools/list', 'tools')).rejects.toMatchObject({
      code: 'RESULT_INVALID',
    })
  })

  it('takes the empty cursor for one, and the narrowest caching of all pages', async () => {
    const url = await pages((cursor) =>
      cursor === ''
        ? { tools: [{ name: 'b' }, null, 'x'], ttlMs: 5, cacheScope: 'private' }
        : { tools: [{ name: 'a' }], nextCursor: '', ttlMs: 60_000, cacheScope: 'public' },
    )
    expect(await connect(url).listAll('tools/list', 'tools')).toEqual({
      items: [{ name: 'a' }, { name: 'b' }],
      pages: 2,
      ttlMs: 5,
      cacheScope: 'private',
    })
  })
})

describe('listen', () => {
  it('listens again after a drop, and asks for a fresh list', async () => {
    const clock = new VirtualClock()
    let listens = 0
    let resyncs = 0
    const heard: string[] = []
    const url = await serve(
      modern((_message, response) => {
        const stream = sse(response)
        stream.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} }))
        stream.end(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { n: ++listens } }))
      }),
    )
    const peer = connect(url, { clock, onResync: () => resyncs++, onNotification: ({ method }) => heard.push(method) })
    const stop = peer.listen({ toolsListChanged: true })
    while (listens < 3) await clock.advance(500)
    stop()
    expect(resyncs).toBeGreaterThanOrEqual(1)
    expect(new Set(heard)).toEqual(new Set(['notifications/tools/list_changed']))
  })

  it('stops where the source does not know it', async () => {
    const clock = new VirtualClock()
    let listens = 0
    const url = await serve(
      modern((message, response) => {
        listens++
        json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'm' } }, 404)
      }),
    )
    const peer = connect(url, { clock })
    peer.listen({ toolsListChanged: true })
    while (listens < 1) await clock.advance(100)
    await peer.ping()
    await clock.advance(600_000)
    expect(listens).toBe(1)
  })
})

describe('HTTP+SSE', () => {
  const open = async (first: string, headers: Record<string, string> = { 'content-type': 'text/event-stream' }) => {
    const url = await listen((_request, response) => void response.writeHead(200, headers).write(first))
    const clock = new VirtualClock()
    const peer = createClientPeer(createSseTransport({ url, clock }), { clientInfo: { name: 't', version: '1' } })
    clean.push(() => peer.close())
    return { peer, clock }
  }

  it('refuses an endpoint at another origin', async () => {
    const { peer } = await open('event: endpoint\ndata: http://evil.test/messages\n\n')
    await expect(peer.connect()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })

  it('gives up on a stream that names no endpoint', async () => {
    const { peer, clock } = await open(': hello\n\n')
    const refused = expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    await clock.advance(10_000)
    await refused
  })

  it('says so when it is no event stream', async () => {
    const url = await listen(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    )
    const peer = createClientPeer(createSseTransport({ url }), { clientInfo: { name: 't', version: '1' } })
    await expect(peer.connect()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })
})

describe('the url', () => {
  it.each(['file:///etc/passwd', 'ftp://x', 'nonsense', 'http://[::1'])('%s is refused', (url) => {
    expect(() => createHttpTransport({ url })).toThrow(/http:\/\/ or https:\/\//)
  })

  it('must not hold credentials, which the refusal does not repeat', () => {
    expect(() => createHttpTransport({ url: 'http://user:hunter2@x' })).toThrow(/^(?!.*hunter2).*Authorization header/)
  })
})

describe('a proxy', () => {
  it('carries the requests where one is named', async () => {
    const targets: string[] = []
    const url = await serve(modern((message, response) => result(response, message.id, { through: true })))
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      targets.push(request.url!)
      const [host, port] = request.url!.split(':')
      const upstream = connectTcp(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(upstream).pipe(socket)
      })
      upstream.on('error', () => {})
      socket.on('error', () => {})
      clean.push(() => upstream.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    clean.push(() => proxy.close())
    const peer = connect(url, {}, { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` })
    expect(await peer.request('tools/list')).toEqual({ through: true })
    expect(targets[0]).toBe(new URL(url).host)
  })
})

import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  clean,
  connect,
  event,
  json,
  modern,
  result,
  type Script,
  serve,
  sse,
} from '../../../test/helpers/scripted-source.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'

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

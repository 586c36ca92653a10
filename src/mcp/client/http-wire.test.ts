import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clean } from '../../../test/helpers/scripted-source.js'
import type { GatewayError } from '../../errors.js'
import { HookedRequest, type HttpAnswer, type HttpWire } from './http-dispatch.js'
import { createOwnWire, type OwnWireOptions } from './http-wire.js'

/** A server of bytes: what it got, and its connections in the order in which they came. */
const serveBytes = async (answer: (text: string, socket: Socket, count: number) => void) => {
  const requests: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let held = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      held += bytes.toString('utf8')
      const cut = held.indexOf('\r\n\r\n') + 4
      const length = /content-length: (\d+)/.exec(held)?.[1] ?? 0
      if (cut < 4 || Buffer.byteLength(held) < cut + Number(length)) return
      requests.push(held)
      held = ''
      answer(requests.at(-1)!, socket, requests.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clean.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, sockets }
}

const openWire = (url: string, options: Partial<OwnWireOptions> = {}): HttpWire => {
  const defaults = { connections: 8, connectTimeoutMs: 10_000, headersTimeoutMs: 10_000 }
  const wire = createOwnWire({ url: new URL(url), ...defaults, ...options })
  clean.push(() => wire.close())
  return wire
}

const start = (wire: HttpWire, text = 'hello', maxBytes = 1024 * 1024) => {
  let request!: HookedRequest
  const answer = new Promise<HttpAnswer>((resolve, reject) => {
    const hooks = { onEvent: () => {}, onEnd: resolve, onFail: reject }
    request = new HookedRequest({ wire, origin: 'http://it', path: '/mcp', maxBytes }, 'POST', text, hooks)
    request.headers = 'host: it\r\n'
    wire.send(request)
  })
  // Some are given up, and nobody hears of those.
  answer.catch(() => {})
  return { request, answer }
}

const ask = async (wire: HttpWire, text?: string): Promise<string> => (await start(wire, text).answer).body.toString()

const ok = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`

const failure = (error: Partial<GatewayError>) => expect.objectContaining(error)

describe('connections of our own', () => {
  it('carry one request after the other', async () => {
    const { url, requests, sockets } = await serveBytes((_text, socket, count) => socket.write(ok(`answer ${count}`)))
    const wire = openWire(url)
    expect(await ask(wire)).toBe('answer 1')
    expect(await ask(wire)).toBe('answer 2')
    expect(sockets).toHaveLength(1)
    expect(requests[0]).toBe(
      'POST /mcp HTTP/1.1\r\nconnection: keep-alive\r\nhost: it\r\ncontent-length: 5\r\n\r\nhello',
    )
  })

  it('send text of every kind, and the length of its bytes', async () => {
    const { url, requests } = await serveBytes((_text, socket) => socket.write(ok('')))
    await ask(openWire(url), '{"é":"北 🙂"}')
    expect(requests[0]).toMatch(/content-length: 17\r\n\r\n\{"é":"北 🙂"\}$/)
  })

  it('are as many as are allowed, and the others wait for their turn', async () => {
    const waiting: Socket[] = []
    const { url, sockets } = await serveBytes((_text, socket) => {
      // Nobody is answered before as many ask as may.
      if (waiting.push(socket) >= 3) for (const each of waiting.splice(0)) each.write(ok('x'))
    })
    const wire = openWire(url, { connections: 3 })
    const answers = await Promise.all(Array.from({ length: 9 }, () => ask(wire)))
    expect(answers).toEqual(Array.from({ length: 9 }, () => 'x'))
    expect(sockets).toHaveLength(3)
  })

  it('that the server closed while they were idle are replaced', async () => {
    const { url, sockets } = await serveBytes((_text, socket, count) => socket.write(ok(`answer ${count}`)))
    const wire = openWire(url)
    await ask(wire)
    sockets[0]!.end()
    await once(sockets[0]!, 'close')
    expect(await ask(wire)).toBe('answer 2')
    expect(sockets).toHaveLength(2)
  })

  it('that close with their answer, though they did not say so, are not used again', async () => {
    const { url, sockets } = await serveBytes((_text, socket, count) => void socket.end(ok(`answer ${count}`)))
    const wire = openWire(url)
    for (const count of [1, 2, 3, 4, 5]) {
      expect(await ask(wire)).toBe(`answer ${count}`)
      await once(sockets.at(-1)!, 'close')
    }
  })

  it('that close under a request fail it, and it is never sent again: it may have been processed', async () => {
    const { url, requests } = await serveBytes((_text, socket, count) => {
      if (count === 2) socket.destroy()
      else socket.write(ok('x'))
    })
    const wire = openWire(url)
    await ask(wire)
    await expect(start(wire).answer).rejects.toEqual(failure({ code: 'SOURCE_UNAVAILABLE', notSent: false }))
    expect(requests).toHaveLength(2)
    expect(await ask(wire)).toBe('x')
  })

  it.each([
    ['bytes behind the answer', `${ok('x')}HTTP/1.1 200 OK\r\n\r\n`],
    ['the wish to close', ok('x', 'Connection: Close\r\n')],
    ['an answer that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nx'],
    ['an answer of HTTP/1.0', ok('x').replace('1.1', '1.0')],
    ['a time to live that is over', ok('x', 'Keep-Alive: timeout=1\r\n')],
  ])('with %s are not used again', async (_name, bytes) => {
    const { url, sockets } = await serveBytes((_text, socket) => {
      socket.write(bytes)
      if (!bytes.includes('Length')) socket.end()
    })
    const wire = openWire(url)
    expect(await ask(wire)).toBe('x')
    expect(await ask(wire)).toBe('x')
    expect(sockets).toHaveLength(2)
  })

  it.each([
    ['both lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a chunk size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('that bring %s are dropped', async (_name, bytes) => {
    const { url, sockets } = await serveBytes((_text, socket) => socket.write(bytes))
    const details = { reason: 'HTTP_INVALID' }
    await expect(start(openWire(url)).answer).rejects.toEqual(failure({ code: 'SOURCE_UNAVAILABLE', details }))
    if (!sockets[0]!.destroyed) await once(sockets[0]!, 'close')
  })

  it('are not there: the request was not sent', async () => {
    const { url } = await serveBytes(() => {})
    const wire = openWire(url.replace(/:\d+$/, ':1'))
    const refused = failure({ notSent: true, details: { reason: 'ECONNREFUSED' } })
    await expect(start(wire).answer).rejects.toEqual(refused)
    await expect(Promise.all([start(wire).answer, start(wire).answer])).rejects.toEqual(refused)
  })

  it('that never open are given up', async () => {
    const { url } = await serveBytes(() => {})
    const wire = openWire(url.replace('http:', 'https:'), { connectTimeoutMs: 20 })
    const late = failure({ notSent: true, details: { reason: 'UND_ERR_CONNECT_TIMEOUT' } })
    await expect(start(wire).answer).rejects.toEqual(late)
  })

  it('that stay silent are given up', async () => {
    const { url } = await serveBytes(() => {})
    const wire = openWire(url, { headersTimeoutMs: 10, sweepMs: 5 })
    const silent = failure({ notSent: false, details: { reason: 'UND_ERR_HEADERS_TIMEOUT' } })
    await expect(start(wire).answer).rejects.toEqual(silent)
  })

  it('that nobody uses are closed before the server does it', async () => {
    const { url, sockets } = await serveBytes((_text, socket) => socket.write(ok('x', 'Keep-Alive: timeout=3\r\n')))
    const wire = openWire(url, { sweepMs: 5 })
    await ask(wire)
    await once(sockets[0]!, 'close')
    await ask(wire)
    expect(sockets).toHaveLength(2)
  })

  it('that bring half an answer to half a request are not used again', async () => {
    const { url, sockets } = await serveBytes((_text, socket) => socket.write(ok('x')))
    const early = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => socket.pause().write(ok('early')))
    })
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve))
    clean.push(() => early.close())
    const wire = openWire(url.replace(/\d+$/, String((early.address() as AddressInfo).port)))
    expect(await ask(wire, 'x'.repeat(32 * 1024 * 1024))).toBe('early')
    expect(await ask(wire)).toBe('early')
    expect(sockets).toHaveLength(2)
  })

  it('never see a request that was given up while it waited', async () => {
    const held: Socket[] = []
    const { url, requests } = await serveBytes((_text, socket) => void held.push(socket))
    const wire = openWire(url, { connections: 1 })
    const first = start(wire, 'first')
    const second = start(wire, 'second')
    second.request.cancel()
    const third = start(wire, 'third')
    while (held.length === 0) await new Promise(setImmediate)
    held[0]!.write(ok('1'))
    await first.answer
    while (held.length === 1) await new Promise(setImmediate)
    held[1]!.write(ok('3'))
    expect((await third.answer).body.toString()).toBe('3')
    expect(requests.map((text) => text.slice(-5))).toEqual(['first', 'third'])
    expect(second.request.sent).toBe(false)
  })

  it('close under a request that is given up, and a late cancel harms nobody else', async () => {
    const { url, sockets } = await serveBytes((text, socket) => {
      if (text.endsWith('quick')) socket.write(ok('x'))
    })
    const wire = openWire(url)
    const slow = start(wire, 'slow')
    while (!slow.request.sent) await new Promise(setImmediate)
    slow.request.cancel()
    await once(sockets[0]!, 'close')
    const quick = start(wire, 'quick')
    await quick.answer
    quick.request.cancel()
    expect(await ask(wire, 'quick')).toBe('x')
    expect(sockets).toHaveLength(2)
  })

  it('end with the wire, and so does whoever waits', async () => {
    const { url } = await serveBytes(() => {})
    const wire = openWire(url, { connections: 1 })
    const sent = start(wire)
    while (!sent.request.sent) await new Promise(setImmediate)
    const unsent = start(wire)
    await wire.close()
    await expect(sent.answer).rejects.toEqual(failure({ code: 'SOURCE_UNAVAILABLE', notSent: false }))
    await expect(unsent.answer).rejects.toEqual(failure({ code: 'SOURCE_UNAVAILABLE', notSent: true }))
    await expect(start(wire).answer).rejects.toEqual(failure({ notSent: true }))
  })
})

describe('a large answer', () => {
  const megabyte = 'x'.repeat(1024 * 1024)
  const chunks = Array.from({ length: 1024 }, () => `400\r\n${'x'.repeat(1024)}\r\n`).join('')

  it.each([
    ['of known length', ok(megabyte)],
    ['in chunks', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`],
  ])('%s comes whole, and one byte more is too much', async (_name, bytes) => {
    const { url } = await serveBytes((_text, socket) => void socket.write(bytes))
    const wire = openWire(url)
    expect((await start(wire).answer).body.equals(Buffer.from(megabyte))).toBe(true)
    const tooLarge = failure({ code: 'RESULT_TOO_LARGE' })
    await expect(start(wire, '', megabyte.length - 1).answer).rejects.toEqual(tooLarge)
  })
})

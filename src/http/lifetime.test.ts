import { once } from 'node:events'
import { createServer as createNetServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, openRaw, parseAnswer, readToClose, readUntil } from '../../test/helpers/raw-http.js'
import { until, VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../errors.js'
import { sendJson } from './answer.js'
import { anonymousCaller } from './auth-loopback.js'
import { createHttpHost, type HttpHost, type HttpHostOptions } from './host.js'
import type { HttpExchange, Upgrade } from './route.js'

const hosts: HttpHost[] = []
afterEach(() => Promise.all(hosts.splice(0).map((host) => host.close({ graceMs: 0 }))))

/** A host whose `/slow` answers when the test says so. */
const start = async (options: Partial<HttpHostOptions> = {}) => {
  const waiting: HttpExchange[] = []
  const upgraded: Upgrade[] = []
  const host = createHttpHost({ authenticate: () => ({ caller: anonymousCaller }), ...options })
  host.addRoutes([
    { method: 'GET', path: '/healthz', right: 'open', handle: ({ response }) => sendJson(response, 200, { ok: true }) },
    { method: 'GET', path: '/slow', right: 'call', handle: (exchange) => void waiting.push(exchange) },
    {
      method: 'GET',
      path: '/large',
      right: 'call',
      handle: (exchange) => {
        waiting.push(exchange)
        exchange.response.end(Buffer.alloc(64 * 1024 * 1024))
      },
    },
    {
      method: 'GET',
      path: '/events',
      right: 'call',
      stream: true,
      handle: ({ response }) => void response.write('event: a\n\n'),
    },
  ])
  host.onUpgrade({ path: '/ws', right: 'call', handle: (upgrade) => void upgraded.push(upgrade) })
  hosts.push(host)
  const { port } = await host.listen({ port: 0 })
  const lines = [`Host: 127.0.0.1:${port}`]
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}\r\n`
  return { host, port, waiting, upgraded, lines, head }
}

describe('a vanished client (F22)', () => {
  it('aborts the signal of its exchange, whatever way it goes', async () => {
    const { port, waiting, head } = await start()
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const socket = await openRaw(port)
      socket.write(head('/slow'))
      await until(() => waiting.length > 0)
      const { cancel: signal } = waiting.pop()!
      expect(signal.aborted).toBe(false)
      socket[leave]()
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', resolve))
      expect(signal.aborted).toBe(true)
    }
  })

  it('is noticed also by a signal that is first read afterwards', async () => {
    const { port, waiting, head } = await start()
    const socket = await openRaw(port)
    socket.write(head('/slow'))
    await until(() => waiting.length > 0)
    const { response } = waiting[0]!
    socket.destroy()
    await once(response, 'close')
    expect(waiting[0]!.cancel.aborted).toBe(true)
  })

  it('does not abort the signal of an answer that ended well', async () => {
    const { port, waiting, lines } = await start()
    const answer = ask(port, 'GET /slow', lines)
    await until(() => waiting.length > 0)
    const { cancel: signal, response } = waiting[0]!
    sendJson(response, 200, {})
    expect((await answer).status).toBe(200)
    expect(signal.aborted).toBe(false)
  })

  it('leaves nothing behind, 2,000 times over', async () => {
    const { host, port, waiting, head } = await start()
    for (let round = 0; round < 20; round++) {
      const sockets = await Promise.all(Array.from({ length: 100 }, () => openRaw(port)))
      for (const socket of sockets) socket.write(head('/slow'))
      await until(() => waiting.length === 100)
      const signals = waiting.splice(0).map(({ cancel }) => cancel)
      for (const socket of sockets) socket.destroy()
      await until(() => signals.every(({ aborted }) => aborted))
    }
    // With anything still counted as running, this would wait out its grace on a clock that no one moves.
    await expect(host.close({ graceMs: 3_600_000 })).resolves.toBeUndefined()
  })
})

describe('slow clients (F21)', () => {
  const quick = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 }

  it('are closed when their headers do not come, all 200 of them, while others are served', async () => {
    const { port, lines } = await start(quick)
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openRaw(port)))
    const closed = sockets.map((socket) => readToClose(socket))
    sockets.forEach((socket, index) => {
      // Some say nothing at all, some begin, some never finish their headers.
      if (index % 3 > 0) socket.write('GET /healthz HTTP/1.1\r\n')
      if (index % 3 > 1) socket.write('X-A: b\r\n')
    })
    expect((await ask(port, 'GET /healthz', lines)).status).toBe(200)
    const texts = await Promise.all(closed)
    expect(texts.filter((text) => text.includes('408')).length).toBeGreaterThan(100)
  })

  it('are closed when their body does not come', async () => {
    const { port } = await start(quick)
    const socket = await openRaw(port)
    socket.write(`GET /slow HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 5\r\n\r\nab`)
    expect(parseAnswer(await readToClose(socket)).status).toBe(408)
  })

  it('are not those who wait for a long answer or listen to a stream', async () => {
    const { port, waiting, head } = await start(quick)
    const patient = await openRaw(port)
    patient.write(head('/slow'))
    await until(() => waiting.length > 0)
    waiting[0]!.response.write('event: a\n\n')
    // Another client meets the timeout meanwhile, which shows that it has passed without anyone waiting by a clock.
    const idle = await openRaw(port)
    idle.write('GET / HTTP/1.1\r\n')
    await readToClose(idle)
    const again = await openRaw(port)
    again.write('GET / HTTP/1.1\r\n')
    await readToClose(again)
    const seen = readUntil(patient, 'event: b')
    waiting[0]!.response.end('event: b\n\n')
    expect(await seen).toContain('200 OK')
    patient.destroy()
  })

  it('that read nothing of an ended answer are cut', async () => {
    const clock = new VirtualClock()
    const { port, waiting, head } = await start({ clock, stalledMs: 50 })
    const socket = await openRaw(port)
    socket.pause()
    socket.write(head('/large'))
    await until(() => waiting.length > 0)
    const closed = once(waiting[0]!.response, 'close')
    await clock.advance(50)
    await closed
    expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024)
    socket.destroy()
  })

  it('past the most connections are dropped', async () => {
    const { port, lines } = await start({ maxConnections: 2 })
    const held = await Promise.all([openRaw(port), openRaw(port)])
    // Accepted in order, so both count before the third is looked at.
    const third = await openRaw(port)
    expect(await readToClose(third)).toBe('')
    for (const socket of held) socket.destroy()
    await Promise.all(held.map((socket) => socket.closed || once(socket, 'close')))
    let status = Number.NaN
    while (status !== 200) status = (await ask(port, 'GET /healthz', lines)).status
  })
})

describe('streams', () => {
  it('refuse HEAD, which would never end', async () => {
    const { port, lines } = await start()
    expect((await ask(port, 'HEAD /events', lines)).status).toBe(405)
  })
})

describe('closing (F23)', () => {
  it('lets running requests end, refuses new ones with 503, and then lets go of the port', async () => {
    const { host, port, waiting, lines, head } = await start({ clock: new VirtualClock() })
    const running = Array.from({ length: 100 }, () => ask(port, 'GET /slow', lines))
    const keptAlive = await openRaw(port)
    keptAlive.write(head('/slow'))
    await until(() => waiting.length === 101)
    const idle = await openRaw(port)
    idle.write(head('/healthz'))
    await readUntil(idle, '"ok"')
    const idleClosed = readToClose(idle)

    const closed = host.close({ graceMs: 10_000 })
    expect(await idleClosed).toBe('')
    const refused = await ask(port, 'GET /healthz', lines)
    expect([refused.status, refused.headers.connection]).toEqual([503, 'close'])
    expect(JSON.parse(refused.body).error.code).toBe('STOPPING')

    const last = readToClose(keptAlive)
    for (const { response } of waiting) sendJson(response, 200, { done: true })
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(100).fill(200))
    // Kept alive before, told to go now.
    expect(parseAnswer(await last).headers.connection).toBe('close')
    await closed
    await expect(new Promise((_, reject) => createProbe(port, reject))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('destroys what is left when the grace ends', async () => {
    const clock = new VirtualClock()
    const { host, port, waiting, head } = await start({ clock })
    const socket = await openRaw(port)
    socket.write(head('/slow'))
    await until(() => waiting.length > 0)
    const { cancel: signal } = waiting[0]!
    const closed = host.close({ graceMs: 1000 })
    await clock.advance(999)
    expect(signal.aborted).toBe(false)
    await clock.advance(1)
    await closed
    expect(signal.aborted).toBe(true)
    socket.destroy()
  })

  it('is hurried by a second call', async () => {
    const clock = new VirtualClock()
    const { host, port, waiting, head } = await start({ clock })
    const socket = await openRaw(port)
    socket.write(head('/slow'))
    await until(() => waiting.length > 0)
    const first = host.close({ graceMs: 10_000 })
    const second = host.close({ graceMs: 0 })
    await clock.advance(0)
    await Promise.all([first, second])
    expect(clock.pendingTimers).toBe(0)
    socket.destroy()
  })

  it('tells streams and sockets once, and waits for them', async () => {
    const { host, port, waiting, upgraded, head } = await start({ clock: new VirtualClock() })
    const [stream, socket] = [await openRaw(port), await openRaw(port)]
    stream.write(head('/slow'))
    socket.write(head('/ws', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'))
    await until(() => waiting.length > 0 && upgraded.length > 0)
    const told: string[] = []
    waiting[0]!.response.write('event: hello\n\n')
    waiting[0]!.onDrain(() => {
      told.push('stream')
      waiting[0]!.response.end('event: bye\n\n')
    })
    waiting[0]!.onDrain(() => {
      throw new Error('a hook that fails keeps no one from closing')
    })
    upgraded[0]!.onDrain(() => {
      told.push('socket')
      upgraded[0]!.socket.end('bye')
    })
    const texts = Promise.all([readToClose(stream), readToClose(socket)])
    await host.close({ graceMs: 10_000 })
    expect(told).toEqual(['stream', 'socket'])
    expect((await texts).every((text) => text.includes('bye'))).toBe(true)
    upgraded[0]!.onDrain(() => told.push('late'))
    expect(told.at(-1)).toBe('late')
  })

  it('works on a host that never listened, and twice', async () => {
    const host = createHttpHost({ authenticate: () => ({ caller: anonymousCaller }) })
    await expect(host.close()).resolves.toBeUndefined()
    await expect(host.close()).resolves.toBeUndefined()
  })
})

const createProbe = (port: number, onError: (error: Error) => void): void => {
  void import('node:net').then(({ connect }) => connect({ port, host: '127.0.0.1' }).on('error', onError))
}

describe('listening (F30)', () => {
  it('says which port is taken and what to do', async () => {
    const other = createNetServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const host = createHttpHost({ authenticate: () => ({ caller: anonymousCaller }) })
    const error = (await host.listen({ port }).catch((thrown: unknown) => thrown)) as GatewayError
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', details: { reason: 'EADDRINUSE', port } })
    expect(error.message).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}.*in use.*--port`))
    other.close()
    await once(other, 'close')
    expect((await host.listen({ port })).port).toBe(port)
    hosts.push(host)
  })

  it('explains an address that is not ours and a port that is none', async () => {
    const host = createHttpHost({ authenticate: () => ({ caller: anonymousCaller }) })
    await expect(host.listen({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
      details: { reason: 'EADDRNOTAVAIL' },
    })
    await expect(host.listen({ port: 70_000 })).rejects.toMatchObject({ details: { reason: 'ERR_SOCKET_BAD_PORT' } })
  })
})

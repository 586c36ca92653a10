import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { startFarSide } from '../helpers/far-side.js'
import { fixtureTools } from '../helpers/fixture-tools.js'
import { settle } from '../helpers/virtual-clock.js'
import { endpointAt, type LinkFixture, startLink } from './start-link.js'

const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

/** A far side that upgrades by the book and then writes whatever bytes it likes; gives what was written back. */
const evilFarSide = async (misbehave: (socket: Duplex) => void, head = ''): Promise<string> => {
  const server = createServer()
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => {})
    socket.resume()
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${head}\r\n`,
    )
    clean.push(() => socket.destroy())
    misbehave(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  clean.push(() => server.close())
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/?token=secret-token-0123`
}

const frame = (opcode: number, payload: Buffer, flags = 0x80): Buffer => {
  const length = payload.length
  if (length < 126) return Buffer.concat([Buffer.from([flags | opcode, length]), payload])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = flags | opcode
  if (length < 65_536) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head, payload])
}
const closeFrame = (code: number, reason: string) => {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason))
  payload.writeUInt16BE(code, 0)
  payload.write(reason, 2)
  return frame(8, payload)
}
const start = (url: string): LinkFixture => {
  const link = startLink([endpointAt(url)], { gatewayOptions: { tools: fixtureTools() } })
  clean.push(link.close)
  return link
}

const cases: [name: string, misbehave: (socket: Duplex) => void, head?: string][] = [
  ['W99 a text frame that is not UTF-8', (socket) => socket.write(frame(1, Buffer.from([0xff, 0xfe, 0xfd])))],
  [
    'W101 twenty thousand one-byte fragments',
    (socket) => {
      socket.write(frame(1, Buffer.from('{'), 0))
      socket.write(Buffer.concat(Array.from({ length: 20_000 }, () => frame(0, Buffer.from(' '), 0))))
    },
  ],
  ['W103 a frame of more than 4 MiB', (socket) => socket.write(frame(1, Buffer.alloc(4 * 1024 * 1024 + 1, 32)))],
  ['W104 reserved bits', (socket) => socket.write(frame(1, Buffer.from('{}'), 0xf0))],
  ['W104 a reserved opcode', (socket) => socket.write(frame(7, Buffer.from('{}')))],
  ['W105 a masked server frame', (socket) => socket.write(Buffer.from([0x81, 0x82, 1, 2, 3, 4, 5, 6]))],
  ['W106 close 1005', (socket) => socket.write(closeFrame(1005, ''))],
  ['W106 close 999', (socket) => socket.write(closeFrame(999, ''))],
  ['W106 a reason of 200 bytes', (socket) => socket.write(closeFrame(1011, 'x'.repeat(200)))],
  ['W108 a window of 99 bits', () => {}, 'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99\r\n'],
  ['W109 a compressed frame nobody agreed on', (socket) => socket.write(frame(1, Buffer.alloc(64, 7), 0xc0))],
]

describe('a hostile far side', () => {
  it.each(cases)('T32 %s ends that connection and nothing else', async (_name, misbehave, head) => {
    const link = start(await evilFarSide(misbehave, head))
    const { nextTryAt } = await link.until(({ state }) => state === 'waiting')
    expect(nextTryAt! - link.clock.wall()).toBe(1000)
  })

  it('W100 R31 answers garbage with an error and goes on', async () => {
    const far = await startFarSide()
    clean.push(far.close)
    start(far.url())
    const visit = await far.visit()
    const garbage = [
      Buffer.from([0, 1, 2, 3, 255]),
      '',
      '[]',
      'null',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","id":2}',
      '{"jsonrpc":"2.0","id":1,"Method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    ]
    for (const each of garbage) {
      visit.send(each)
      expect((await visit.next()).error, String(each).slice(0, 40)).toBeDefined()
    }
    expect((await visit.ask('ping')).result).toEqual({})
    expect(visit.untaken).toEqual([])
  })

  it('takes answers to questions it never asked for noise', async () => {
    const far = await startFarSide()
    clean.push(far.close)
    start(far.url())
    const visit = await far.visit()
    visit.send({ jsonrpc: '2.0', id: 7, result: {} })
    visit.send({ jsonrpc: '2.0', id: 8, error: { code: 1, message: 'x' } })
    expect((await visit.ask('ping', {}, 9)).id).toBe(9)
    expect(visit.untaken).toEqual([])
  })

  it('W107 lives through ten thousand pings and unasked pongs', async () => {
    const far = await startFarSide()
    clean.push(far.close)
    start(far.url())
    const visit = await far.visit()
    for (let times = 0; times < 10_000; times++) {
      visit.socket.ping()
      visit.socket.pong()
    }
    expect((await visit.ask('ping')).result).toEqual({})
  })

  it('F12 leaves a far side that asks and does not read', async () => {
    const far = await startFarSide()
    clean.push(far.close)
    const link = start(far.url())
    const visit = await far.visit()
    await link.until(({ state }) => state === 'connected')
    visit.socket.pause()
    const question = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    let sent = 0
    const ended = link.until(({ state }) => state === 'waiting')
    while (link.carrier.status()[0]!.state === 'connected') {
      for (let times = 0; times < 500; times++) visit.send(question)
      sent += 500
      await settle()
    }
    expect((await ended).reason).toBe('the far side does not read what it is sent')
    expect(sent).toBeGreaterThan(0)
  })

  it('keeps a __proto__ argument as data', async () => {
    const far = await startFarSide()
    clean.push(far.close)
    start(far.url())
    const visit = await far.visit()
    visit.send(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"x":1}}}}',
    )
    expect((await visit.next()).result.content[0].text).toBe('{"__proto__":{"x":1}}')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

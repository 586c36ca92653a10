import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { sourceLimits } from '../parse.js'
import type { ClientPeer, ClientPeerOptions } from './client-peer.js'
import { createClientPeer } from './peer.js'
import { createWebSocketTransport } from './websocket-transport.js'

const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

/** A server that upgrades by the book and then writes whatever bytes a test wants. */
const connect = async (
  misbehave: (socket: Duplex) => void,
  { head = '', era = 'auto' }: { readonly head?: string | undefined } & Pick<ClientPeerOptions, 'era'> = {},
): Promise<ClientPeer> => {
  const server = createServer()
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => {})
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: ${accept}\r\n${head}\r\n`,
    )
    clean.push(() => socket.destroy())
    socket.once('data', () => misbehave(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clean.push(() => server.close())
  const limits = { ...sourceLimits, maxBytes: 64 * 1024 }
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const transport = createWebSocketTransport({ url, limits })
  const peer = createClientPeer(transport, { clientInfo: { name: 't', version: '1' }, era })
  clean.push(() => peer.close())
  return peer
}

/** A frame as servers write it: unmasked, with any flags. */
const frame = (first: number, payload: Buffer, length = payload.length): Buffer => {
  const size =
    length < 126
      ? Buffer.from([length])
      : length < 65536
        ? Buffer.from([126, length >> 8, length & 255])
        : Buffer.from([127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255])
  return Buffer.concat([Buffer.from([first]), size, payload])
}

const text = 0x81
const binary = 0x82

describe('a hostile WebSocket source (T32)', () => {
  const cases: readonly (readonly [string, (socket: Duplex) => void])[] = [
    ['W99 text of broken UTF-8', (socket) => socket.write(frame(text, Buffer.from([0xc3, 0x28])))],
    [
      'W101 one-byte fragments without end',
      (socket) => {
        socket.write(frame(0x01, Buffer.from('x')))
        const piece = Buffer.concat(Array(4096).fill(frame(0x00, Buffer.from('x'))))
        for (let index = 0; index < 8; index++) socket.write(piece)
      },
    ],
    [
      'W102 a fragment that outgrows the limit',
      (socket) => {
        socket.write(frame(0x01, Buffer.alloc(40_000, 'x')))
        socket.write(frame(0x00, Buffer.alloc(40_000, 'x')))
      },
    ],
    ['W103 a frame beyond the limit', (socket) => socket.write(frame(text, Buffer.alloc(10), 64 * 1024 + 1))],
    ['W104 reserved bits', (socket) => socket.write(frame(0xf1, Buffer.from('{}')))],
    ['W104 a reserved opcode', (socket) => socket.write(frame(0x83, Buffer.from('{}')))],
    ['W105 a masked frame', (socket) => socket.write(Buffer.from([text, 0x82, 1, 2, 3, 4, 5, 6]))],
    ['W106 close code 999', (socket) => socket.end(frame(0x88, Buffer.from([0x03, 0xe7])))],
    ['W106 close without code', (socket) => socket.end(frame(0x88, Buffer.alloc(0)))],
    ['W109 a compressed frame', (socket) => socket.write(frame(0xc1, Buffer.alloc(100)))],
    ['a reset', (socket) => socket.destroy()],
  ]
  it.each(cases)('sends %s: a coded error, and nothing else falls', async (_name, misbehave) => {
    const peer = await connect(misbehave)
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    await expect(peer.request('tools/list')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })

  it('offers compression with absurd windows (W108)', async () => {
    const peer = await connect(() => {}, {
      head: 'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99\r\n',
    })
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })

  it('may send binary frames (W100) and 1,000 pings (W107)', async () => {
    const found = '{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}\n'
    const pingAndAnswer = (socket: Duplex): void => {
      for (let index = 0; index < 1000; index++) socket.write(frame(0x89, Buffer.from('p')))
      socket.write(frame(binary, Buffer.from(found)))
    }
    // One era only: a server that is silent at the second question is given ten seconds.
    const peer = await connect(pingAndAnswer, { era: 'modern' })
    expect(await peer.connect()).toMatchObject({ era: 'modern' })
  })

  it('is not there', async () => {
    const peer = createClientPeer(createWebSocketTransport({ url: 'ws://127.0.0.1:1' }), {
      clientInfo: { name: 't', version: '1' },
    })
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })
})

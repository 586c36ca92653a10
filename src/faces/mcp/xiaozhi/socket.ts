import type { IncomingMessage } from 'node:http'
import { type ClientOptions, type RawData, WebSocket } from 'ws'
import { callerLimits } from '../../../mcp/parse.js'
import type { Clock } from '../../../model/clock.js'
import type { Address } from './address.js'
import { type Ending, endingOfClose, endingOfStatus } from './ending.js'

export interface SocketOptions {
  readonly address: Address
  readonly clock: Clock
  readonly connectTimeoutMs: number
}

export interface SocketEvents {
  onOpen(): void
  onFrame(frame: Buffer): void
  onPong(): void
  /** Once, after the socket is really closed: nothing of it remains at our side. */
  onEnd(ending: Ending): void
}

/** One connection to an endpoint. */
export interface Socket {
  send(text: string | Buffer): void
  ping(): void
  /** Leaves politely, or without waiting where the far side does not answer. `onEnd` follows. */
  close(ending: Ending): void
  /** Cuts the connection at once. `onEnd` follows. */
  cut(ending: Ending): void
}

const closeTimeoutMs = 2000
/** A peer that does not read what it asked for is not going to. */
const mostQueuedBytes = 4 * 1024 * 1024

/** Dials. Throws nothing: what goes wrong arrives as an ending. */
export const openSocket = ({ address, clock, connectTimeoutMs }: SocketOptions, events: SocketEvents): Socket => {
  const socket = new WebSocket(address.url, socketOptions)
  let ending: Ending | undefined
  const cut = (why: Ending): void => {
    ending ??= why
    socket.terminate()
  }
  // By our clock and not `handshakeTimeout`: one clock rules the endpoint, and a test can turn it.
  let cancelTimer = clock.after(connectTimeoutMs, () =>
    cut({ kind: 'late', words: `${address.host} did not answer within ${connectTimeoutMs} ms` }),
  )

  socket.on('open', () => {
    cancelTimer()
    events.onOpen()
  })
  socket.on('message', (data) => events.onFrame(toBuffer(data)))
  socket.on('pong', events.onPong)
  socket.on('ping', () => {
    if (socket.bufferedAmount > mostQueuedBytes) cut(unread)
  })
  socket.on('unexpected-response', (_request, response: IncomingMessage) => {
    response.destroy()
    cut(endingOfStatus(response.statusCode ?? 0, response.headers['retry-after']))
  })
  // Without this listener an error would end the process; 'close' follows and tells.
  socket.on('error', (error: NodeJS.ErrnoException) =>
    cut({ kind: 'closed', words: address.scrub(error.message || error.code || 'the connection failed') }),
  )
  socket.on('close', (code, reason) => {
    cancelTimer()
    events.onEnd(ending ?? endingOfClose(code, address.scrub(reason.toString('utf8'))))
  })

  return {
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) return
      if (socket.bufferedAmount > mostQueuedBytes) cut(unread)
      else socket.send(text, { binary: false })
    },
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping()
    },
    close: (why) => {
      ending ??= why
      cancelTimer()
      if (socket.readyState === WebSocket.CONNECTING) return socket.terminate()
      cancelTimer = clock.after(closeTimeoutMs, () => socket.terminate())
      socket.close(1000)
    },
    cut,
  }
}

const unread: Ending = { kind: 'closed', words: 'the far side does not read what it is sent' }

// No compression, for the memory it can be made to cost; fragments are capped, or a million one-byte ones would do the
// same (T32). Redirects are not followed: they would carry the token elsewhere.
const socketOptions = {
  perMessageDeflate: false,
  followRedirects: false,
  maxPayload: callerLimits.maxBytes,
  maxFragments: 16 * 1024,
  maxBufferedChunks: 64 * 1024,
  closeTimeout: closeTimeoutMs,
} as ClientOptions

const toBuffer = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

import { type ClientOptions, type RawData, WebSocket } from 'ws'
import { type ParseLimits, readMessage, sourceLimits } from '../parse.js'
import { networkFailure, unavailable } from './failure.js'
import { refused, taken } from './line-transport.js'
import type { ClientTransport, TransportEvents } from './transport.js'

export interface WebSocketTransportOptions {
  /** ws or wss. */
  readonly url: string
  /** A function is asked for each connection, so that a refreshed token is used. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined
  /** Default: 10 s. */
  readonly connectTimeoutMs?: number | undefined
  readonly limits?: ParseLimits | undefined
  /** Bytes that may wait to be sent. Default: 8 MiB (F12). */
  readonly maxQueuedBytes?: number | undefined
}

const closeTimeoutMs = 1000

/** Messages over WebSocket, one per frame, as the first SDK spoke it: subprotocol `mcp`, text or binary UTF-8. */
export const createWebSocketTransport = (options: WebSocketTransportOptions): ClientTransport => {
  const limits = options.limits ?? sourceLimits
  const maxQueuedBytes = options.maxQueuedBytes ?? 8 * 1024 * 1024
  const place = placeOf(options.url)
  let socket: WebSocket | undefined

  return {
    kind: 'websocket',
    perRequest: false,
    open: (events, signal) => {
      socket = new WebSocket(options.url, ['mcp'], clientOptions(options, limits))
      return opened(socket, events, place, limits, signal)
    },
    send: (text, sendOptions) => {
      if (socket?.readyState !== WebSocket.OPEN)
        return refused(unavailable(`The WebSocket to ${place} is closed.`, { notSent: true }), sendOptions, place)
      if (socket.bufferedAmount + text.length > maxQueuedBytes)
        return refused(unavailable(`${place} does not read what it is sent.`, { notSent: true }), sendOptions, place)
      try {
        socket.send(text)
      } catch (error) {
        return refused(error, sendOptions, place)
      }
      return taken(sendOptions)
    },
    close: () => closed(socket),
  }
}

// Compression is off for the memory it can be made to cost; fragments are capped, or a million one-byte ones would do the same (T32).
const clientOptions = (options: WebSocketTransportOptions, limits: ParseLimits): ClientOptions =>
  ({
    headers: { ...(typeof options.headers === 'function' ? options.headers() : options.headers) },
    handshakeTimeout: options.connectTimeoutMs ?? 10_000,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: limits.maxBytes,
    maxFragments: 16 * 1024,
    maxBufferedChunks: 64 * 1024,
    closeTimeout: closeTimeoutMs,
  }) as ClientOptions

const opened = (
  socket: WebSocket,
  events: TransportEvents,
  place: string,
  limits: ParseLimits,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let open = false
    let failure: Error | undefined
    const onAbort = (): void => socket.terminate()
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.on('open', () => {
      open = true
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    socket.on('message', (data) => readMessage(toBuffer(data), limits, events))
    // A refusal of our credentials is told as such, or nobody would know that signing in helps.
    socket.on('unexpected-response', (_request, answer) => {
      const status = answer.statusCode ?? 0
      const details = { status, wwwAuthenticate: String(answer.headers['www-authenticate'] ?? '').slice(0, 2048) }
      failure ??= unavailable(`${place} answered the handshake with HTTP status ${status}.`, { details, notSent: true })
      answer.resume()
      socket.terminate()
    })
    // Without this listener the error would end the process; without terminate, the close would wait for the other side.
    socket.on('error', (error) => {
      failure ??= error
      socket.terminate()
    })
    socket.on('close', (code, reason) => {
      signal?.removeEventListener('abort', onAbort)
      const words = reason.toString('utf8').slice(0, 123)
      const ended = failure
        ? networkFailure(failure, place, !open)
        : unavailable(`${place} closed the WebSocket (${code}${words && ` ${words}`}).`, {
            details: { code },
            notSent: !open,
          })
      if (open) events.onClose(ended)
      else reject(ended)
    })
  })

const closed = (socket: WebSocket | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!socket || socket.readyState === WebSocket.CLOSED) {
      resolve()
      return
    }
    // A peer that does not answer the close must not keep ours waiting.
    const timer = setTimeout(() => socket.terminate(), closeTimeoutMs)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.close(1000)
  })

const toBuffer = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

const placeOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'the WebSocket server')

import type { ServerResponse } from 'node:http'
import type { Clock } from '../../model/clock.js'
import type { Shares } from '../../model/shares.js'

export interface SseResponseOptions {
  readonly clock: Clock
  /** Unsent bytes after which a reader counts as gone. Default: 1 MiB (F20). */
  readonly maxQueuedBytes?: number | undefined
  /** Whose stream it is: what all streams of one caller have not sent is bounded together. Default: its own bound alone. */
  readonly reader?: { readonly caller: string; readonly shares: Shares } | undefined
  /** A comment after so long without anything else. Default: 15 s; 0 for none. */
  readonly keepAliveMs?: number | undefined
  /** Where a reader stands who hears nothing, told with each comment. Default: nothing. */
  readonly position?: (() => string) | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Why the stream ended: we ended it, the client left, or it read too slowly. Once. */
  readonly onEnd?: ((reason: 'ended' | 'left' | 'slow') => void) | undefined
}

export interface SseResponse {
  /** False once the stream is over; then nothing is sent any more. */
  readonly open: boolean
  /** One message: text, or prepared JSON bytes. Text may have an id, from which a reader who comes back goes on. */
  send(message: string | Buffer, id?: string): void
  /** Tells the reader its `position` now. */
  mark(): void
  /** A last message, if any, and the end. */
  end(message?: string | Buffer, id?: string): void
}

/** A stream of events to one client. What it does not read is bounded, so that it cannot cost the others memory. */
export const createSseResponse = (response: ServerResponse, options: SseResponseOptions): SseResponse => {
  const { clock, keepAliveMs = 15_000, maxQueuedBytes = 1024 * 1024 } = options
  let open = true
  let stopTimer = () => {}
  const unread = createUnread(response, options.reader)

  const finish = (reason: 'ended' | 'left' | 'slow'): void => {
    if (!open) return
    open = false
    stopTimer()
    options.onEnd?.(reason)
  }

  const write = (bytes: string | Buffer): void => {
    if (!open) return
    // Looked at before writing, so that one large message alone never counts as slowness.
    if (response.writableLength > maxQueuedBytes) return cut()
    response.write(bytes)
    if (!unread.isWithin()) return cut()
    restartTimer()
  }

  // destroy, not end: an end would wait for the reader who does not read.
  const cut = (): void => {
    finish('slow')
    response.destroy()
  }

  const place = (): string => (options.position ? ssePosition(options.position()) : '')

  const restartTimer = (): void => {
    stopTimer()
    if (keepAliveMs > 0) stopTimer = clock.after(keepAliveMs, () => write(sseComment('keep-alive') + place()))
  }

  response.on('close', () => finish('left'))
  response.on('error', () => finish('left'))
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...options.headers,
  })
  // Without this, the headers would wait for the first message, and the client's timeout with them.
  response.flushHeaders()
  restartTimer()

  return {
    get open() {
      return open
    },
    send: (message, id) => write(frame(message, id)),
    mark: () => write(place()),
    end: (message, id) => {
      if (!open) return
      finish('ended')
      response.end(message === undefined ? undefined : frame(message, id))
      if (!unread.isWithin()) response.destroy()
    },
  }
}

const frame = (message: string | Buffer, id: string | undefined): string | Buffer =>
  typeof message === 'string' ? sseText(message, id === undefined ? {} : { id }) : sseBytes(message)

export interface SseFields {
  readonly event?: string | undefined
  readonly id?: string | undefined
}

/** One event as it goes on the wire. Line ends inside the data become several `data` lines, as the format wants. */
export const sseText = (data: string, fields: SseFields = {}): string => {
  const head = `${fields.event ? `event: ${oneLine(fields.event)}\n` : ''}${fields.id ? `id: ${oneLine(fields.id)}\n` : ''}`
  const body = /[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/).join('\ndata: ') : data
  return `${head}data: ${body}\n\n`
}

const dataPrefix = Buffer.from('data: ')
const eventEnd = Buffer.from('\n\n')

/** The same for prepared JSON bytes, which hold no line ends. */
export const sseBytes = (json: Buffer): Buffer => Buffer.concat([dataPrefix, json, eventEnd])

/** Where the reader stands, without an event: a block that has no data only sets its `Last-Event-ID`. */
export const ssePosition = (id: string): string => `id: ${oneLine(id)}\n\n`

/** A comment keeps proxies from closing a stream that has nothing to say. */
export const sseComment = (text = ''): string => `: ${oneLine(text)}\n\n`

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

// So much is on its way with every reader.
const tolerated = 64 * 1024

/** Counts what a stream has not sent among all that its caller has not read. */
const createUnread = (response: ServerResponse, reader: SseResponseOptions['reader']) => {
  const share = reader?.shares.of('unreadBytes')
  if (!reader || !share) return { isWithin: () => true }
  let counted = 0
  const count = (now: number): boolean => {
    if (now > counted && share.take(reader.caller, now - counted)) return false
    if (now < counted) share.give(reader.caller, counted - now)
    counted = now
    return true
  }
  const isWithin = (): boolean => {
    const now = response.writableLength
    return now <= tolerated && counted === 0 ? true : count(now <= tolerated ? 0 : now)
  }
  response.on('drain', isWithin)
  response.on('close', () => count(0))
  return { isWithin }
}

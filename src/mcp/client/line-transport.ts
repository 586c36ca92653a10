import { type ParseLimits, readMessage, sourceLimits } from '../parse.js'
import { networkFailure, unavailable } from './failure.js'
import type { ClientTransport, Sending, SendOptions } from './transport.js'

/**
 * A two-way stream of lines, one message each: a child process's pipes, or two ends in one process. Whoever owns the
 * stream bounds it: lines by `createLineSplitter`, unsent bytes by a queue of its own.
 */
export interface LineChannel {
  /** Queues one line, without its end. Throws when the queue is full or the channel is closed; then nothing was sent. */
  send(line: string | Buffer): void
  /** One listener; lines that came before it are kept. */
  onLine(listener: (line: Buffer | string) => void): void
  /** Called once, with the reason when it was not asked for. */
  onClose(listener: (reason: Error | undefined) => void): void
  close(): void | Promise<void>
}

export interface LineTransportOptions {
  readonly limits?: ParseLimits | undefined
  /** How the channel is called in messages. Default: `the process`. */
  readonly place?: string | undefined
}

/** Messages over lines, as stdio servers speak. Lines that are no message (banners, logs) are skipped and counted. */
export const createLineTransport = (channel: LineChannel, options: LineTransportOptions = {}): ClientTransport => {
  const limits = options.limits ?? sourceLimits
  const place = options.place ?? 'the process'
  let opened = false
  return {
    kind: 'line',
    perRequest: false,
    open: async (events) => {
      if (opened) return
      opened = true
      channel.onClose((reason) =>
        events.onClose(reason && unavailable(`The connection to ${place} ended: ${reason.message}`, { cause: reason })),
      )
      channel.onLine((line) => {
        const bytes = typeof line === 'string' ? Buffer.from(line) : line
        readMessage(bytes, limits, events)
      })
    },
    send: (text, sendOptions) => {
      try {
        channel.send(text)
      } catch (error) {
        return refused(error, sendOptions, place)
      }
      return taken(sendOptions)
    },
    close: async () => channel.close(),
  }
}

const alreadySent: Sending = Object.freeze({ sent: true, cancel: () => {} })
const neverSent: Sending = Object.freeze({ sent: false, cancel: () => {} })

/** How a transport that takes a message at once or not at all says that it took it. */
export const taken = ({ hooks, id }: SendOptions): Sending => {
  if (id === undefined) hooks.onEnd()
  return alreadySent
}

/** And that it did not. */
export const refused = (error: unknown, { hooks }: SendOptions, place: string): Sending => {
  hooks.onFail(networkFailure(error, place, true))
  return neverSent
}

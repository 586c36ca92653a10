import { type ParseLimits, readMessage, sourceLimits } from '../parse.js'
import { networkFailure, unavailable } from './failure.js'
import type { LineChannel } from './line-channel.js'
import type { ClientTransport, Sending, SendOptions } from './transport.js'

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
    send: (text, sendOptions) => sendNow(() => channel.send(text), sendOptions, place),
    close: async () => channel.close(),
  }
}

const alreadySent: Sending = Object.freeze({ sent: true, cancel: () => {} })
const neverSent: Sending = Object.freeze({ sent: false, cancel: () => {} })

/** For transports that take a message at once or not at all. */
export const sendNow = (write: () => void, { hooks, id }: SendOptions, place: string): Sending => {
  try {
    write()
  } catch (error) {
    hooks.onFail(networkFailure(error, place, true))
    return neverSent
  }
  if (id === undefined) hooks.onEnd()
  return alreadySent
}

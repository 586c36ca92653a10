import type { Clock } from '../../model/clock.js'
import type { SseEvent } from '../framing.js'
import { createBackoff } from './backoff.js'
import type { ExchangeHooks, HttpExchange } from './http-exchange.js'

export interface HttpStreamOptions {
  readonly clock: Clock
  readonly random?: (() => number) | undefined
  /** Starts one GET; the last event id is there when the server names its events. */
  readonly start: (lastEventId: string | undefined, hooks: ExchangeHooks) => HttpExchange
  readonly onEvent: (event: SseEvent) => void
  /** The stream is back after an interruption. */
  readonly onResync: () => void
  /** Credentials are renewed as calls go, so a stream that was refused for its own may be taken later. Default: false. */
  readonly retryRefused?: boolean | undefined
}

export interface HttpStream {
  stop(): void
}

/**
 * The legacy stream of notifications, kept open: a source may offer none (405), or drop it at any time. What was said
 * while it was away is lost unless the server replays it, so every return asks for a fresh list.
 */
export const keepHttpStream = (options: HttpStreamOptions): HttpStream => {
  const backoff = createBackoff(options.clock, options.random)
  let stopped = false
  let opened = 0
  let retryMs = 0
  let lastEventId: string | undefined
  let exchange: HttpExchange | undefined

  const again = (): void => {
    if (!stopped) backoff.wait(open, retryMs)
  }

  const open = (): void => {
    exchange = options.start(lastEventId, {
      onStart: ({ status, type }) => {
        if (status >= 300 || type !== 'text/event-stream') return
        if (opened++ > 0) options.onResync()
      },
      onEvent: (event) => {
        lastEventId = event.id
        backoff.reset()
        // An event of nothing only marks a place to resume from (2025-11-25).
        if (event.data.length > 0) options.onEvent(event)
      },
      onRetry: (delayMs) => {
        retryMs = Math.min(delayMs, 60_000)
      },
      // A server without this stream says so by a status; asking again would only fill its log.
      onEnd: ({ status, type }) => {
        if (status < 300 && type === 'text/event-stream') again()
        else if (status >= 500 || status === 429 || (status === 401 && options.retryRefused)) again()
      },
      onFail: again,
    })
  }

  open()
  return {
    stop: () => {
      stopped = true
      backoff.stop()
      exchange?.cancel()
    },
  }
}

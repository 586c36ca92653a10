import type { Clock } from '../../model/clock.js'
import type { SseEvent } from '../framing.js'
import type { RpcNotification } from '../message.js'
import { isRpcError } from '../rpc-error.js'
import type { Dispatched, DispatchHooks } from './http-dispatch.js'

export interface HttpStreamOptions {
  readonly clock: Clock
  readonly random?: (() => number) | undefined
  /** Starts one GET; the last event id is there when the server names its events. */
  readonly start: (lastEventId: string | undefined, hooks: DispatchHooks) => Dispatched
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
  let exchange: Dispatched | undefined

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

export interface SubscriptionOptions {
  readonly clock: Clock
  readonly random?: (() => number) | undefined
  /** One `subscriptions/listen`; settles when it ends, for whatever reason. */
  readonly listen: (onNotification: (message: RpcNotification) => void, signal: AbortSignal) => Promise<unknown>
  readonly onNotification: (message: RpcNotification) => void
  /** Listening again after a gap; nothing is replayed. */
  readonly onResync: () => void
}

/** Keeps one modern subscription open until stopped, through drops and restarts of the source. */
export const keepSubscription = (options: SubscriptionOptions): (() => void) => {
  const backoff = createBackoff(options.clock, options.random)
  const controller = new AbortController()
  let acknowledged = 0

  const onNotification = (message: RpcNotification): void => {
    if (message.method === 'notifications/subscriptions/acknowledged') {
      backoff.reset()
      if (acknowledged++ > 0) options.onResync()
    } else options.onNotification(message)
  }

  const run = async (): Promise<void> => {
    try {
      await options.listen(onNotification, controller.signal)
    } catch (error) {
      // It does not know the method or the wish: asking again would get the same answer.
      if (isRpcError(error) && error.httpStatus < 500) return
    }
    if (!controller.signal.aborted) backoff.wait(() => void run())
  }

  void run()
  return () => {
    backoff.stop()
    controller.abort()
  }
}

export interface Backoff {
  /** Runs `task` after the next delay, or after at least `leastMs` where the other side asked for that. */
  wait(task: () => void, leastMs?: number): void
  /** Things went well: the next delay is the first again. */
  reset(): void
  /** Forgets what is waiting. */
  stop(): void
}

/** Doubling delays from one second to one minute, shortened at random so that many peers do not come back at once. */
export const createBackoff = (clock: Clock, random: () => number = Math.random): Backoff => {
  let attempt = 0
  let cancel = () => {}
  return {
    wait: (task, leastMs = 0) => {
      cancel()
      const delayMs = Math.min(60_000, 1000 * 2 ** Math.min(attempt++, 10)) * (0.5 + random() / 2)
      cancel = clock.after(Math.max(leastMs, delayMs), task)
    },
    reset: () => {
      attempt = 0
    },
    stop: () => cancel(),
  }
}

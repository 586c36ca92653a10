import type { Clock } from '../../model/clock.js'
import type { RpcNotification } from '../message.js'
import { isRpcError } from '../rpc-error.js'
import { createBackoff } from './backoff.js'

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

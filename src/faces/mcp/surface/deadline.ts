import { GatewayError } from '../../../errors.js'
import type { Clock } from '../../../model/clock.js'

/** Time for what is no tool call, and so does not pass the steps of one. */
export const surfaceTimeoutMs = 30_000

export interface Timed {
  readonly signal: AbortSignal
  /** The client is being asked: its time to think does not count. */
  pause(): () => void
}

/** Gives `work` a signal that aborts when its time is up or `signal` does. */
export const withDeadline = async <T>(
  clock: Clock,
  signal: AbortSignal,
  work: (timed: Timed) => Promise<T>,
): Promise<T> => {
  const timer = new AbortController()
  let leftMs = surfaceTimeoutMs
  let runningSince = clock.now()
  let pauses = 0
  const expire = (): void => timer.abort(expired())
  let cancel = clock.after(leftMs, expire)
  const pause = (): (() => void) => {
    if (pauses++ === 0) {
      cancel()
      leftMs -= clock.now() - runningSince
    }
    let over = false
    return () => {
      if (over) return
      over = true
      if (--pauses > 0) return
      runningSince = clock.now()
      cancel = clock.after(Math.max(0, leftMs), expire)
    }
  }
  try {
    return await work({ signal: AbortSignal.any([signal, timer.signal]), pause })
  } finally {
    cancel()
    // Keeps a pause that ends late from starting the clock again.
    pauses = Number.POSITIVE_INFINITY
  }
}

const expired = (): GatewayError =>
  new GatewayError('DEADLINE_EXCEEDED', `The source did not answer within ${surfaceTimeoutMs} ms.`, {
    details: { timeoutMs: surfaceTimeoutMs },
  })

import type { Clock } from '../../model/clock.js'

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

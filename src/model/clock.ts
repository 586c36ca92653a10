import { createTimers } from './timers.js'

/** Time as an argument, so that tests never wait. `now` is monotonic: a wall clock that jumps must not fire a deadline. */
export interface Clock {
  /** Monotonic milliseconds, for durations, deadlines and windows. */
  now(): number
  /** Milliseconds since the epoch, for what people and other machines read. */
  wall(): number
  /**
   * Runs `task` once after `delayMs`; the returned function cancels it. A pending timer keeps the process alive only if it
   * `holds`: a caller waits for it, and nothing else may be left to wake the process.
   */
  after(delayMs: number, task: () => void, holds?: boolean): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: createTimers(),
}

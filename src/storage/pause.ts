import type { Clock } from '../model/clock.js'

const pauseMs = 20

/**
 * A moment before a lock is tried again. The clock's timers let the process end; a write that waits must not be dropped
 * that way, so something else keeps it up.
 */
export const pause = (clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const keepAlive = setInterval(() => {}, 60_000)
    clock.after(pauseMs, () => {
      clearInterval(keepAlive)
      resolve()
    })
  })

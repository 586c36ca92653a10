import type { Clock } from '../model/clock.js'

const pauseMs = 20

/** A moment before a lock is tried again. It holds the process: a write that waits must not be dropped by its end. */
export const pause = (clock: Clock): Promise<void> => new Promise((resolve) => void clock.after(pauseMs, resolve, true))

import type { Clock } from '../../model/clock.js'
import { pause } from '../pause.js'
import { isBusy } from './problems.js'

/** How long a write waits for another program's lock before it gives up. */
export const busyTimeoutMs = 5000

/**
 * Tries again while another program holds the lock. SQLite's own waiting would block the whole process, and with it
 * every call of every caller, for the same five seconds.
 */
export const whenFree = async <T>(clock: Clock, attempt: () => T): Promise<T> => {
  const giveUpAt = clock.now() + busyTimeoutMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || clock.now() >= giveUpAt) throw error
    }
    await pause(clock)
  }
}

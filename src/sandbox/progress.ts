import type { Progress } from '../model/call.js'
import type { Clock } from '../model/clock.js'

// Five a second: a script of two hundred calls must not be two hundred messages.
const everyMs = 200

/** Tells of finished calls, not more often than anybody can read. */
export const createProgress = (
  clock: Clock,
  tell: ((progress: Progress) => void) | undefined,
): ((tool: string) => void) => {
  let done = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return (tool) => {
    done++
    if (!tell || clock.now() - toldAt < everyMs) return
    toldAt = clock.now()
    tell({ progress: done, message: tool })
  }
}

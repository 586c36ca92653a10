import type { Clock } from './clock.js'
import { freshRuns } from './fresh-runs.js'

export interface CatchUp {
  /** Takes up what was written before this was asked. Never rejects; where it fails it is tried again by itself. */
  run(): Promise<void>
  close(): void
}

export interface CatchUpOptions {
  readonly clock: Clock
  /** Told of the first failure in a row. */
  readonly onFailure: (error: unknown) => void
  /** Until the next attempt. Default 1,000. */
  readonly againMs?: number | undefined
}

/**
 * Follows what is kept elsewhere: news come once, so what could not be read at that moment is read when it can be. What is
 * known meanwhile stays in force.
 */
export const createCatchUp = (work: () => Promise<void>, options: CatchUpOptions): CatchUp => {
  const { clock, onFailure, againMs = 1000 } = options
  let isClosed = false
  let hasFailed = false
  let cancel = () => {}
  const run = freshRuns(async () => {
    cancel()
    if (isClosed) return
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (isClosed) return
      if (!hasFailed) onFailure(error)
      hasFailed = true
      cancel = clock.after(againMs, () => void run())
    }
  })
  return {
    run,
    close: () => {
      isClosed = true
      cancel()
    },
  }
}

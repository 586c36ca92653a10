/** How warm a tool is: what is used often is loaded first (002-13). */
export type Temperature = 'hot' | 'warm' | 'cold'

export interface Usage {
  readonly count: number
  /** Milliseconds since the epoch, or null when never used. */
  readonly lastUsed: number | null
}

export const unused: Usage = Object.freeze({ count: 0, lastUsed: null })

const dayMs = 24 * 60 * 60 * 1000
const hotCount = 10
const warmCount = 3
const hotIdleMs = 30 * dayMs
const warmIdleMs = 60 * dayMs

/**
 * Hot from 10 uses, warm from 3 (002-13); a hot tool idle for 30 days is warm, any tool idle for 60 is cold.
 * A function of use and time alone, so that it is right whenever it is read: the original only looked again when some
 * other tool warmed up.
 */
export const temperatureOf = ({ count, lastUsed }: Usage, wallMs: number): Temperature => {
  if (count < warmCount) return 'cold'
  const idleMs = lastUsed === null ? 0 : wallMs - lastUsed
  if (idleMs >= warmIdleMs) return 'cold'
  return count >= hotCount && idleMs < hotIdleMs ? 'hot' : 'warm'
}

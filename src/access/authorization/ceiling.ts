import type { Clock } from '../../model/clock.js'

/**
 * So many a minute from everybody together: hosted clients come from few addresses for all their users, so that counting by
 * address would hit strangers for one another.
 */
export const createCeiling = (perMinute: number, clock: Clock): (() => boolean) => {
  let tokens = perMinute
  let at = clock.now()
  return () => {
    const now = clock.now()
    tokens = Math.min(perMinute, tokens + ((now - at) * perMinute) / 60_000)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

import type { Clock } from '../../model/clock.js'

export interface RateLimit {
  readonly calls: number
  readonly perMs: number
}

/** Token buckets by key. `take` answers 0, or the milliseconds until the next call would pass. */
export interface RateLimiter {
  take(key: string): number
}

/** The same counted elsewhere: a promise where that is being asked, unless nobody can wait. */
export interface SharedLimiter {
  take(key: string, mayWait: boolean): number | Promise<number>
}

// Keys are callers: without a bound, a stream of made-up ones would be a leak.
const mostKeys = 10_000

export const createRateLimiter = ({ calls, perMs }: RateLimit, clock: Clock): RateLimiter => {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const refill = calls / perMs
  return {
    take: (key) => {
      const now = clock.now()
      const bucket = buckets.get(key) ?? { tokens: calls, at: now }
      bucket.tokens = Math.min(calls, bucket.tokens + (now - bucket.at) * refill)
      bucket.at = now
      // Re-inserted, so that the first key is always the one unused for longest.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > mostKeys) buckets.delete(buckets.keys().next().value as string)
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / refill)
      bucket.tokens -= 1
      return 0
    },
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { PooledLimiter, type TokenPool } from './pooled.js'
import type { RateLimit } from './rate.js'

/** The bucket as a store keeps it, asked over a wire that takes its time. */
const openPool = (clock: VirtualClock, delayMs: () => number = () => 1, sharers = 3) => {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const seen = { queries: 0, drawn: 0, isAway: false }
  const pool: TokenPool = {
    sharers: () => sharers,
    draw: (key, wanted, { calls, perMs }: RateLimit) => {
      seen.queries += 1
      return new Promise((resolve, reject) => {
        clock.after(delayMs(), () => {
          if (seen.isAway) return reject(new Error('away'))
          const bucket = buckets.get(key) ?? { tokens: calls, at: clock.now() }
          const tokens = Math.min(calls, bucket.tokens + ((clock.now() - bucket.at) * calls) / perMs)
          const got = Math.min(wanted, Math.floor(tokens + 1e-9))
          buckets.set(key, { tokens: tokens - got, at: clock.now() })
          seen.drawn += got
          resolve(got)
        })
      })
    },
  }
  return { pool, seen }
}

const minute = (calls: number): RateLimit => ({ calls, perMs: 60_000 })

describe('a limit that replicas share', () => {
  it('is kept by three of them together, in chunks, whoever asks how often', async () => {
    const clock = new VirtualClock()
    const { pool, seen } = openPool(clock)
    const replicas = [1, 2, 3].map(() => new PooledLimiter(minute(600), pool, clock))
    let [asked, granted] = [0, 0]
    for (let ms = 0; ms < 4000; ms += 2) {
      for (const replica of replicas) {
        asked += 1
        void Promise.resolve(replica.take('ann', true)).then((waitMs) => {
          if (waitMs === 0) granted += 1
        })
      }
      await clock.advance(2)
    }
    await clock.advance(1000)
    expect(asked).toBe(6000)
    expect(granted).toBeLessThanOrEqual(600 + 41)
    // Three chunks in hand and the one by which the bucket is smaller.
    expect(granted).toBeGreaterThanOrEqual(640 - 4 * 30)
    // Ten a second each when it is empty, and what it took to empty it.
    expect(seen.queries).toBeLessThanOrEqual(3 * 41 + 60)
  })

  it('is never exceeded in any window, however long the pool takes and whatever was in hand before', async () => {
    const turns = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 8000 })), {
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 5, 45, 120, 600),
        turns,
        fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1 }),
        async (calls, waits, delays) => {
          const clock = new VirtualClock()
          let turn = 0
          const { pool } = openPool(clock, () => delays[turn++ % delays.length]!)
          const replicas = [1, 2, 3].map(() => new PooledLimiter(minute(calls), pool, clock))
          const granted: number[] = []
          for (const [replica, pause] of waits) {
            // A burst, or a single call, or a long rest.
            for (let each = 0; each < (pause % 3 === 0 ? 40 : 1); each++)
              void Promise.resolve(replicas[replica]!.take('ann', true)).then(
                (ms) => ms === 0 && granted.push(clock.now()),
              )
            await clock.advance(pause)
          }
          await clock.advance(2000)
          granted.forEach((from, first) => {
            granted.slice(first).forEach((to, count) => {
              expect(count + 1).toBeLessThanOrEqual(calls + ((to - from) * calls) / 60_000 + 1e-6)
            })
          })
        },
      ),
      {
        numRuns: Number(process.env.FUZZ ?? 60),
        examples: [
          [
            45,
            [
              [1, 0],
              [2, 0],
              [0, 0],
            ],
            [239, 0, 23],
          ],
        ],
      },
    )
  })

  it('keeps no call waiting where tokens are in hand: the next are drawn before', async () => {
    const clock = new VirtualClock()
    const { pool } = openPool(clock)
    const limiter = new PooledLimiter(minute(600), pool, clock)
    const first = limiter.take('ann', true)
    expect(first).toBeInstanceOf(Promise)
    await clock.advance(1)
    expect(await first).toBe(0)
    for (let each = 0; each < 200; each++) {
      expect(limiter.take('ann', true)).toBe(0)
      await clock.advance(1)
    }
  })

  it('lets a small limit through to its last call, and says when the next may come', async () => {
    const clock = new VirtualClock()
    const { pool } = openPool(clock)
    const [a, b] = [new PooledLimiter(minute(5), pool, clock), new PooledLimiter(minute(5), pool, clock)]
    const asked = [a, b, a, b, a, b].map((each) => each.take('ann', true))
    await clock.advance(100)
    const waits = await Promise.all(asked)
    expect(waits.filter((ms) => ms === 0)).toHaveLength(5)
    expect(Math.max(...waits)).toBeGreaterThan(0)
    expect(b.take('ann', true)).toBeGreaterThan(1000)
    await clock.advance(13_000)
    const later = a.take('ann', true)
    await clock.advance(1)
    expect(await later).toBe(0)
  })

  it('is refused to who cannot wait, and is there the next time', async () => {
    const clock = new VirtualClock()
    const { pool } = openPool(clock)
    const limiter = new PooledLimiter(minute(600), pool, clock)
    expect(limiter.take('ann', false)).toBeGreaterThan(0)
    await clock.advance(1)
    expect(limiter.take('ann', false)).toBe(0)
  })

  it('is divided while the pool is away, keeps nobody waiting then, and is whole again when it is back', async () => {
    const clock = new VirtualClock()
    const { pool, seen } = openPool(clock)
    const limiter = new PooledLimiter(minute(60), pool, clock)
    seen.isAway = true
    const first = limiter.take('ann', true)
    await clock.advance(1)
    expect(await first).toBe(0)
    const rest = Array.from({ length: 30 }, () => limiter.take('ann', true))
    // A third of sixty, one of which the first had.
    expect(rest.filter((ms) => ms === 0)).toHaveLength(19)
    expect(rest.every((ms) => typeof ms === 'number')).toBe(true)
    const before = seen.queries
    for (let each = 0; each < 50; each++) {
      await clock.advance(100)
      limiter.take('ann', true)
    }
    expect(seen.queries - before).toBeLessThanOrEqual(5)
    seen.isAway = false
    await clock.advance(1500)
    limiter.take('ann', true)
    await clock.advance(10)
    const back = Array.from({ length: 40 }, () => limiter.take('ann', true))
    await clock.advance(500)
    expect((await Promise.all(back)).filter((ms) => ms === 0)).toHaveLength(40)
  })

  it('counts a pool that takes a second as away', async () => {
    const clock = new VirtualClock()
    const { pool } = openPool(clock, () => 60_000)
    const limiter = new PooledLimiter(minute(60), pool, clock)
    const first = limiter.take('ann', true)
    await clock.advance(999)
    let isDone = false
    void Promise.resolve(first).then(() => {
      isDone = true
    })
    await clock.advance(0)
    expect(isDone).toBe(false)
    await clock.advance(1)
    expect(await first).toBe(0)
    expect(limiter.take('ann', true)).toBe(0)
  })

  it('remembers a bounded number of callers', async () => {
    const clock = new VirtualClock()
    const pool: TokenPool = { sharers: () => 1, draw: async (_key, wanted) => wanted }
    const limiter = new PooledLimiter(minute(1), pool, clock)
    for (let each = 0; each <= 10_000; each++) limiter.take(`made-up-${each}`, false)
    await clock.advance(10)
    expect(limiter.take('made-up-10000', false)).toBe(0)
    // What was drawn for the first is forgotten with it.
    expect(limiter.take('made-up-0', false)).toBeGreaterThan(0)
  })
})

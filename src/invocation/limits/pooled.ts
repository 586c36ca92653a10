import type { Clock } from '../../model/clock.js'
import type { RateLimit, SharedLimiter } from './rate.js'

/** Where the tokens are that several processes share, each of which lets calls in. */
export interface TokenPool {
  /**
   * Takes as many of the wanted tokens as there are, and says how many that was; the bucket of this key holds `calls` and
   * refills in `perMs`. Rejects when it cannot be asked.
   */
  draw(key: string, wanted: number, limit: RateLimit): Promise<number>
  /** Among how many processes a limit is divided while the pool cannot be asked; at least 1. */
  sharers(): number
}

// Between two draws that found too little: one who asks all the time must not ask the pool all the time.
const leastPauseMs = 100
// The longest that a call waits for a draw; a pool that takes longer is away.
const longestWaitMs = 1000
const lookAgainMs = 1000
const mostKeys = 10_000
const mostWaiting = 512

interface Batch {
  tokens: number
  readonly until: number
}

/** What is in hand of one key, and how much this process has given out by itself. */
interface Purse {
  readonly key: string
  batches: Batch[]
  drawing: Promise<void> | undefined
  /** When the draw under way was asked for, or the last one. */
  askedAt: number
  nextAt: number
  waiting: number
  /** Its own share, counted always, so that it is right when the pool goes away. */
  own: number
  ownAt: number
}

/**
 * Token buckets that live elsewhere. Tokens are drawn in chunks of a twentieth, the next before the last is used up, so that
 * no call waits where tokens are in hand; one that finds none waits for the draw, for a second at most.
 *
 * Never above the limit, in any window: what is in hand is thrown away after the time in which as much flows into the bucket,
 * and the bucket is smaller by that chunk. Below it by what the others have in hand, a chunk each at most.
 *
 * While the pool is away everybody has its own share of the limit, and asks again once a second without keeping a call waiting.
 */
export class PooledLimiter implements SharedLimiter {
  readonly #limit: RateLimit
  readonly #pool: TokenPool
  readonly #clock: Clock
  readonly #purses = new Map<string, Purse>()
  readonly #chunk: number
  readonly #bucket: RateLimit
  /** Milliseconds in which one token comes. */
  readonly #tokenMs: number
  readonly #goodMs: number
  #awayUntil: number | undefined

  constructor(limit: RateLimit, pool: TokenPool, clock: Clock) {
    this.#limit = limit
    this.#pool = pool
    this.#clock = clock
    this.#tokenMs = limit.perMs / limit.calls
    this.#chunk = Math.max(1, Math.floor(limit.calls / 20))
    // Single tokens are drawn by who needs them and used at once.
    const ahead = this.#chunk > 1 ? this.#chunk : 0
    const calls = limit.calls - ahead
    this.#bucket = { calls, perMs: calls * this.#tokenMs }
    this.#goodMs = ahead > 0 ? ahead * this.#tokenMs : Math.min(longestWaitMs, this.#tokenMs)
  }

  /** 0, or the milliseconds until the next call may pass; a promise where that is being asked, unless nobody can wait. */
  take(key: string, mayWait: boolean): number | Promise<number> {
    const purse = this.#purseOf(key)
    const now = this.#try(purse)
    if (now !== undefined) return now
    if (!mayWait || purse.waiting >= mostWaiting) return Math.ceil(this.#pauseMs)
    return this.#wait(purse)
  }

  /** Undefined while a draw is under way that may bring some. */
  #try(purse: Purse): number | undefined {
    if (this.#spend(purse)) return 0
    const now = this.#clock.now()
    if (this.#awayUntil !== undefined) {
      if (now >= this.#awayUntil) this.#draw(purse)
      return this.#takeOwn(purse)
    }
    if (!purse.drawing && now < purse.nextAt) return Math.ceil(Math.max(purse.nextAt - now, this.#tokenMs))
    this.#draw(purse)
    return undefined
  }

  #spend(purse: Purse): boolean {
    const now = this.#clock.now()
    while (purse.batches[0] && (purse.batches[0].tokens < 1 || purse.batches[0].until <= now)) purse.batches.shift()
    const [batch] = purse.batches
    if (!batch) return false
    batch.tokens -= 1
    this.#refill(purse)
    purse.own = Math.max(0, purse.own - 1)
    const isLow = inHand(purse) <= this.#chunk / 2
    if (isLow && this.#chunk > 1 && now >= purse.nextAt && now >= (this.#awayUntil ?? 0)) this.#draw(purse)
    return true
  }

  async #wait(purse: Purse): Promise<number> {
    const until = this.#clock.now() + longestWaitMs
    purse.waiting += 1
    try {
      for (;;) {
        await this.#before(until, purse.drawing)
        const now = this.#try(purse)
        if (now !== undefined) return now
        // Where many wait, draw after draw may bring too few in time: away is only a pool that does not answer.
        if (this.#clock.now() >= until) return this.#isSilent(purse) ? this.#isAway(purse) : Math.ceil(this.#pauseMs)
      }
    } finally {
      purse.waiting -= 1
    }
  }

  #before(until: number, drawn: Promise<void> | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(Math.max(0, until - this.#clock.now()), resolve, true)
      void drawn?.then(() => {
        cancel()
        resolve()
      })
    })
  }

  #draw(purse: Purse): void {
    if (purse.drawing) return
    const most = this.#chunk > 1 ? this.#chunk - inHand(purse) : Math.min(this.#bucket.calls, purse.waiting)
    const wanted = Math.max(1, most)
    const asked = this.#clock.now()
    purse.askedAt = asked
    // Set once for all keys: only one of them finds out whether the pool is back.
    if (this.#awayUntil !== undefined) this.#awayUntil = asked + lookAgainMs
    purse.drawing = this.#pool.draw(purse.key, wanted, this.#bucket).then(
      (got) => {
        this.#awayUntil = undefined
        purse.drawing = undefined
        if (got > 0) purse.batches.push({ tokens: got, until: asked + this.#goodMs })
        if (got < wanted) purse.nextAt = this.#clock.now() + this.#pauseMs
      },
      () => {
        purse.drawing = undefined
        this.#awayUntil = this.#clock.now() + lookAgainMs
      },
    )
  }

  #isSilent({ drawing, askedAt }: Purse): boolean {
    return drawing !== undefined && this.#clock.now() - askedAt >= longestWaitMs
  }

  #isAway(purse: Purse): number {
    this.#awayUntil = this.#clock.now() + lookAgainMs
    return this.#takeOwn(purse)
  }

  #takeOwn(purse: Purse): number {
    this.#refill(purse)
    if (purse.own < 1) return Math.ceil((1 - purse.own) * this.#tokenMs * this.#sharers)
    purse.own -= 1
    return 0
  }

  #refill(purse: Purse): void {
    const now = this.#clock.now()
    const most = Math.max(1, this.#limit.calls / this.#sharers)
    purse.own = Math.min(most, purse.own + (now - purse.ownAt) / (this.#tokenMs * this.#sharers))
    purse.ownAt = now
  }

  get #sharers(): number {
    return Math.max(1, this.#pool.sharers())
  }

  get #pauseMs(): number {
    return Math.max(leastPauseMs, this.#tokenMs / 10)
  }

  #purseOf(key: string): Purse {
    const known = this.#purses.get(key)
    const now = this.#clock.now()
    const purse = known ?? {
      key,
      batches: [],
      drawing: undefined,
      askedAt: now,
      nextAt: 0,
      waiting: 0,
      own: this.#limit.calls,
      ownAt: now,
    }
    // Re-inserted, so that the first key is always the one unused for longest.
    this.#purses.delete(key)
    this.#purses.set(key, purse)
    if (this.#purses.size > mostKeys) this.#purses.delete(this.#purses.keys().next().value as string)
    return purse
  }
}

const inHand = ({ batches }: Purse): number => batches.reduce((sum, { tokens }) => sum + tokens, 0)

import type { Clock } from '../../model/clock.js'

export interface BreakerOptions {
  /** Failures in a row that open a circuit. Default 5; 0 switches all off. */
  readonly failures?: number | undefined
  /** The longest that an open one lets nobody try: 1 s at first, twice as long after each try that failed. Default 30,000. */
  readonly openMs?: number | undefined
}

const firstOpenMs = 1000

/** The circuit breaker of one tool or source: how it has failed lately. Exists only while there are failures. */
export class Circuit {
  /** In a row; several calls that one event took down are one. */
  failures = 0
  reason = ''
  #lastAt = 0
  #opens = 0
  #openedAt = 0
  #since = 0
  #sinceNow = 0
  #tryAt = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOpen(): boolean {
    return this.#opens > 0
  }

  /** Milliseconds until one call may try. */
  get waitMs(): number {
    return Math.max(0, this.#tryAt - this.#clock.now())
  }

  /** Milliseconds since it opened. */
  get openForMs(): number {
    return this.#clock.now() - this.#sinceNow
  }

  /** When it was opened, in milliseconds since the epoch. */
  get since(): number {
    return this.#since
  }

  /** Whether a call that began at `began` was already on its way when this last failed: then one event took both down. */
  isSameEvent(began: number): boolean {
    return began < this.#lastAt
  }

  failed(at: number, reason: string): void {
    this.failures += 1
    this.#lastAt = at
    this.reason = reason
  }

  /** Whether a failure of a call that began then is news: of one from before it opened it is not. */
  isNews(began: number): boolean {
    return !this.isOpen || began > this.#openedAt
  }

  /** Opens it, or keeps it open for longer than before. */
  open(at: number, { openMs = 30_000 }: BreakerOptions): void {
    if (!this.isOpen) {
      this.#since = this.#clock.wall()
      this.#sinceNow = this.#clock.now()
    }
    this.#openedAt = at
    // Past 20 doublings every wait is the longest one.
    this.#tryAt = this.#clock.now() + Math.min(firstOpenMs * 2 ** Math.min(this.#opens, 20), openMs)
    this.#opens += 1
  }

  /** Half-open: one call tries. Should it hang, the next may try after the same wait again. */
  claim({ openMs = 30_000 }: BreakerOptions): void {
    if (this.isOpen)
      this.#tryAt = this.#clock.now() + Math.min(firstOpenMs * 2 ** Math.min(this.#opens - 1, 20), openMs)
  }

  /** The call that tried told nothing: the next may. */
  unclaim(): void {
    if (this.isOpen) this.#tryAt = this.#clock.now()
  }
}

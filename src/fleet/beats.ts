import { isGatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Heard, LeaseTable, SignOfLife } from '../storage/commons.js'

export interface BeatsOptions {
  readonly table: Pick<LeaseTable, 'beat'>
  readonly clock: Clock
  readonly leaseMs: number
  /** What we say of ourselves, when it is said. */
  readonly sign: () => SignOfLife
  /** `askedAt` by our own clock, before the store was asked: what it renewed it renewed later than that. */
  readonly onHeard: (heard: Heard, sign: SignOfLife, askedAt: number) => void
  readonly onMissed: (error: unknown) => void
}

// A signal that a lease moved comes once per lease; one look serves for all that come together.
const shortestMs = 20

/**
 * Says every third of a lease that we live, and hears how everything stands. It also knows two things that nobody can ask the
 * store: whether it answered us without a break for one lease, and whether we ourselves stood still.
 */
export class Beats {
  readonly #options: BeatsOptions
  readonly #everyMs: number
  #beating: Promise<void> | undefined
  #again = false
  #askedAt = Number.NEGATIVE_INFINITY
  #answeredAt: number | undefined
  #steadyFrom: number | undefined
  #awakeAt: number
  #doubtFrom: number | undefined
  #cancelTick = (): void => {}
  #cancelSoon: (() => void) | undefined
  #isClosed = false

  constructor(options: BeatsOptions) {
    this.#options = options
    this.#everyMs = options.leaseMs / 3
    this.#awakeAt = options.clock.now()
  }

  start(): void {
    this.#tick()
  }

  /** The store has answered us without a break for one lease: who is silent now does not merely share our trouble. */
  get isSteady(): boolean {
    const { clock, leaseMs } = this.#options
    return this.#steadyFrom !== undefined && clock.now() - this.#steadyFrom >= leaseMs
  }

  get isAnswered(): boolean {
    return this.#steadyFrom !== undefined
  }

  /**
   * False from when we stood still for so long that another may have what we think is ours, until the store was asked anew.
   * Looked at whenever somebody relies on it: a process that was stopped finds requests to answer before its timers run.
   */
  get isSure(): boolean {
    const { clock, leaseMs } = this.#options
    const now = clock.now()
    if (now - this.#awakeAt > leaseMs * 0.7 && !this.#isClosed) {
      this.#doubtFrom = now
      this.#steadyFrom = undefined
      void this.beat()
    }
    this.#awakeAt = now
    return this.#doubtFrom === undefined
  }

  /** Looks earlier than it would, together with whoever else wants it. */
  soon(delayMs = shortestMs): void {
    if (this.#isClosed || this.#cancelSoon) return
    const { clock } = this.#options
    const wait = Math.max(delayMs, this.#askedAt + shortestMs - clock.now(), 0)
    this.#cancelSoon = clock.after(wait, () => {
      this.#cancelSoon = undefined
      void this.beat()
    })
  }

  /** Resolves when an answer has come, or none did, to a question that was asked after this. */
  beat(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    if (this.#beating) {
      this.#again = true
      return this.#beating.then(() => this.#beating)
    }
    this.#beating = this.#ask().finally(() => {
      this.#beating = undefined
      if (!this.#again) return
      this.#again = false
      void this.beat()
    })
    return this.#beating
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#again = false
    this.#cancelTick()
    this.#cancelSoon?.()
    await this.#beating
  }

  #tick(): void {
    if (this.#isClosed) return
    void this.isSure
    this.#cancelTick = this.#options.clock.after(this.#everyMs, () => this.#tick())
    // Where one is under way the next follows at once: left out, a slow store would hear of us too late to keep what we hold.
    void this.beat()
  }

  async #ask(): Promise<void> {
    const { table, clock, leaseMs, sign, onHeard, onMissed } = this.#options
    const askedAt = clock.now()
    this.#askedAt = askedAt
    const said = sign()
    // Whoever waits longer than a lease for an answer has been without the store that long.
    const cancel = clock.after(leaseMs, () => {
      this.#steadyFrom = undefined
      if (!this.#isClosed) onMissed(undefined)
    })
    try {
      const heard = await table.beat(said)
      const now = clock.now()
      const hadBreak = this.#answeredAt === undefined || askedAt - this.#answeredAt > leaseMs || now - askedAt > leaseMs
      if (hadBreak) this.#steadyFrom = now
      else this.#steadyFrom ??= now
      this.#answeredAt = now
      this.#trust(askedAt)
      if (!this.#isClosed) onHeard(heard, said, askedAt)
    } catch (error) {
      this.#steadyFrom = undefined
      this.#trust(askedAt)
      if (!this.#isClosed) onMissed(error)
      // The next turn may come too late for what we hold: a moment's outage must cost nobody a lease.
      this.soon(this.#everyMs / 4)
    } finally {
      cancel()
    }
  }

  /** Whatever came of it, it was asked after we woke: more cannot be known. */
  #trust(askedAt: number): void {
    if (this.#doubtFrom !== undefined && askedAt >= this.#doubtFrom) this.#doubtFrom = undefined
  }
}

export const isNameTaken = (error: unknown): boolean => isGatewayError(error) && error.code === 'FLEET_NAME_TAKEN'

import { type Clock, systemClock } from './clock.js'

// What is done at once of a long row; then others have their turn, for longer than it took: a call of theirs passes the event
// loop several times (S4).
const longestTurnMs = 10
const restPerTurn = 3
const longestRestMs = 100

/** How long rows of work have kept everybody else waiting; waiting for others keeps nobody. */
export class TurnPace {
  readonly #clock: Clock
  #busyMs = 0
  #since: number

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  worked(milliseconds: number): void {
    const now = this.#clock.now()
    // Others had their time already, while something else was waited for.
    if (now - this.#since > (1 + restPerTurn) * (this.#busyMs + milliseconds)) this.#begin(now)
    this.#busyMs += milliseconds
  }

  get isSpent(): boolean {
    return this.#busyMs > longestTurnMs
  }

  /** Of those who rest at the same time the first begins the next turn, and the others ask again. */
  async rest(): Promise<void> {
    while (this.isSpent) {
      const before = this.#since
      const restMs = Math.min(longestRestMs, restPerTurn * this.#busyMs)
      await new Promise<void>((resolve) => void this.#clock.after(restMs, resolve, true))
      if (this.#since === before) this.#begin(this.#clock.now())
    }
  }

  #begin(now: number): void {
    this.#busyMs = 0
    this.#since = now
  }
}

/** Of all rows together, batches of calls and lists of addresses: what it saves is the process's one thread. */
export const rows = new TurnPace()

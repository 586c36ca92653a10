import { setTimeout as sleep } from 'node:timers/promises'

// What is done at once of a long row; then others have their turn, for longer than it took: a call of theirs passes the event
// loop several times (S4).
const longestTurnMs = 10
const restPerTurn = 3
const longestRestMs = 100

/** How long rows of work have kept everybody else waiting; waiting for others keeps nobody. */
export class TurnPace {
  #busyMs = 0
  #since = performance.now()

  worked(milliseconds: number): void {
    const now = performance.now()
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
      await sleep(Math.min(longestRestMs, restPerTurn * this.#busyMs))
      if (this.#since === before) this.#begin(performance.now())
    }
  }

  #begin(now: number): void {
    this.#busyMs = 0
    this.#since = now
  }
}

/** Of all rows together, batches of calls and lists of addresses: what it saves is the process's one thread. */
export const rows = new TurnPace()

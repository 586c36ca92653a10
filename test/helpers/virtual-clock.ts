import type { Clock } from '../../src/model/clock.js'

interface Timer {
  readonly at: number
  readonly task: () => void
}

/** A clock that stands still until told to move. `advance` runs due timers in order, letting promises settle between. */
export class VirtualClock implements Clock {
  #now = 0
  #timers = new Set<Timer>()
  readonly #epoch: number

  constructor(epoch = Date.UTC(2026, 10, 15)) {
    this.#epoch = epoch
  }

  now = () => this.#now
  wall = () => this.#epoch + this.#now

  after = (delayMs: number, task: () => void) => {
    const timer = { at: this.#now + delayMs, task }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  get pendingTimers(): number {
    return this.#timers.size
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (let next = this.#due(end); next; next = this.#due(end)) {
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.task()
      await settle()
    }
    this.#now = end
  }

  #due(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) if (timer.at <= end && (!first || timer.at < first.at)) first = timer
    return first
  }
}

/** Lets everything that waits on settled promises run. */
export const settle = async (): Promise<void> => {
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Waits for what comes by itself, turn by turn: for what happens in this process or a child of it. */
export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await settle()
}

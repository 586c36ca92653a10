import { type CancelSignal, until } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'

/** Those who wait for something to change. */
export class Turns {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves with the next change, or after a while. Rejects with the reason of whoever cancels. */
  next(cancel: CancelSignal, ms?: number): Promise<void> {
    let wake = (): void => {}
    let stop = (): void => {}
    const changed = new Promise<void>((resolve) => {
      wake = resolve
      this.#waiting.add(resolve)
      if (ms !== undefined) stop = this.#clock.after(ms, resolve, true)
    })
    return until(changed, cancel).finally(() => {
      stop()
      this.#waiting.delete(wake)
    })
  }
}

/** What is being answered, for whoever waits until nothing is. */
export class Underway {
  #count = 0
  #whenNone = (): void => {}

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#count -= 1
      if (this.#count === 0) this.#whenNone()
    }
  }

  /** Resolves when nothing is, at the latest after this time. */
  none(clock: Clock, mostMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = clock.after(mostMs, resolve, true)
      this.#whenNone = () => {
        cancel()
        resolve()
      }
    })
  }
}

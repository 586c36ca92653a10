import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'

export type GateRefusal = 'full' | 'waited' | 'left'

/** Read at every `enter`: they may change while calls run. */
export interface GateOptions {
  places: number
  queue: number
  waitMs: number
  readonly clock: Clock
}

type Waiter = (refusal: GateRefusal | undefined) => void

/**
 * A semaphore with a bounded queue and a bounded wait, first come, first served; beyond that a call is refused.
 * A class, and without a queue until somebody waits: a tool in use has one, and most calls make and drop it.
 */
export class Gate {
  readonly #options: GateOptions
  #active = 0
  #waiters: Set<Waiter> | undefined

  /** `source` is whose calls pass here, for whoever looks at the load, `lane` which of them. */
  constructor(
    options: GateOptions,
    readonly source = '',
    readonly lane = '',
  ) {
    this.#options = options
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#waiters?.size ?? 0
  }

  get idle(): boolean {
    return this.#active === 0 && this.waiting === 0
  }

  /** Takes a place if one is free now. */
  tryEnter(): boolean {
    if (this.#active >= this.#options.places || this.waiting > 0) return false
    this.#active += 1
    return true
  }

  /** Waits for a place. Resolves with undefined once inside, or with why not. */
  enter(signal: CancelSignal | undefined): Promise<GateRefusal | undefined> {
    const { queue, waitMs, clock } = this.#options
    if (this.waiting >= queue) return Promise.resolve('full')
    this.#waiters ??= new Set()
    const waiters = this.#waiters
    return new Promise((resolve) => {
      const done: Waiter = (refusal) => {
        waiters.delete(done)
        cancelTimer()
        signal?.removeEventListener('abort', onAbort)
        resolve(refusal)
      }
      const onAbort = () => done('left')
      const cancelTimer = clock.after(waitMs, () => done('waited'), true)
      signal?.addEventListener('abort', onAbort, { once: true })
      waiters.add(done)
      if (signal?.aborted) onAbort()
    })
  }

  leave(): void {
    this.#active -= 1
    // The place goes straight to the next in line: no newcomer can slip in between.
    this.admit()
  }

  /** Admits waiting calls while places are free; called after the number of places was raised. */
  admit(): void {
    // Nearly always there is nobody, and looking through nobody makes an iterator.
    if (!this.#waiters) return
    for (const next of this.#waiters) {
      if (this.#active >= this.#options.places) return
      this.#active += 1
      next(undefined)
    }
  }
}

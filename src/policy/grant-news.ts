import { type CancelSignal, once } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'

export interface GrantNewsOptions {
  readonly clock: Clock
  /** True if anybody has written since it was last asked. */
  readonly isNew: () => Promise<boolean>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Wakes those who wait for an answer: at once where it is given here, and soon where another process wrote it. */
export class GrantNews {
  readonly #options: GrantNewsOptions
  readonly #waiters = new Set<() => void>()
  #cancel: (() => void) | undefined
  #closed = false

  constructor(options: GrantNewsOptions) {
    this.#options = options
  }

  /** Resolves with the next news, at the latest after this long or when the caller leaves. */
  next(waitMs: number, signal: CancelSignal | undefined): Promise<void> {
    if (this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      const done = (): void => {
        cancel()
        this.#waiters.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.#options.clock.after(waitMs, done, true)
      this.#waiters.add(done)
      signal?.addEventListener('abort', done, once)
      this.#look()
    })
  }

  tell(): void {
    for (const waiter of [...this.#waiters]) waiter()
  }

  get isClosed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
    this.#cancel?.()
    this.tell()
  }

  // One look for all who wait, and none while nobody does.
  #look(): void {
    if (this.#closed || this.#cancel) return
    const { clock, everyMs, isNew, onError } = this.#options
    const again = (): void => {
      this.#cancel = undefined
      if (this.#waiters.size > 0) this.#look()
    }
    this.#cancel = clock.after(everyMs, () => {
      isNew().then(
        (news) => {
          if (news) this.tell()
          again()
        },
        (error) => {
          onError(error)
          again()
        },
      )
    })
  }
}

import type { Clock } from '../../model/clock.js'

interface Standing {
  isBad: boolean
  told: boolean
  toldBadAt: number
  /** How often it changed since it was last told of. */
  changes: number
  cancel: () => void
  /** How it is told now. */
  tell: Tell
}

/** Told how it stands, and how often that changed since it was last told. */
export type Tell = (isBad: boolean, changes: number) => void

/** So long one thing is not said to be bad again: what flaps sends a pair of messages in that time. */
export const restMs = 5 * 60_000
const mostKept = 20_000

/**
 * How things stand that are either good or bad. A change is told once; of what goes to and fro, the first change for the worse
 * and back, and after a rest how it stands then.
 */
export class Standings {
  readonly #clock: Clock
  readonly #all = new Map<string, Standing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(key: string, isBad: boolean, tell: Tell): void {
    const known = this.#all.get(key)
    if (!known && !isBad) return
    const each = known ?? this.#add(key)
    each.tell = tell
    if (each.isBad === isBad) return
    each.isBad = isBad
    each.changes += 1
    this.#settle(each)
  }

  /** The keys of what was bad when last heard of. */
  bad(prefix: string): readonly string[] {
    return [...this.#all].flatMap(([key, { isBad }]) => (isBad && key.startsWith(prefix) ? [key] : []))
  }

  /** Nobody can say any more: it is neither bad nor back. */
  forget(key: string): void {
    this.#all.get(key)?.cancel()
    this.#all.delete(key)
  }

  close(): void {
    for (const { cancel } of this.#all.values()) cancel()
    this.#all.clear()
  }

  #add(key: string): Standing {
    if (this.#all.size >= mostKept) this.forget(this.#all.keys().next().value as string)
    const made: Standing = {
      ...{ isBad: false, told: false, toldBadAt: Number.NEGATIVE_INFINITY, changes: 0 },
      ...{ cancel: () => {}, tell: () => {} },
    }
    this.#all.set(key, made)
    return made
  }

  #settle(each: Standing): void {
    each.cancel()
    if (each.isBad === each.told) return
    const waitMs = each.isBad ? each.toldBadAt + restMs - this.#clock.now() : 0
    if (waitMs > 0) {
      each.cancel = this.#clock.after(waitMs, () => this.#settle(each))
      return
    }
    each.told = each.isBad
    if (each.isBad) each.toldBadAt = this.#clock.now()
    const { changes } = each
    each.changes = 0
    each.tell(each.isBad, changes)
  }
}

import type { Clock } from '../model/clock.js'
import type { Deed, Note } from './deed.js'

const windowMs = 60_000
const mostKept = 1000

interface Folded {
  deed: Deed
  count: number
}

/**
 * Refusals by the minute: the first of a kind is a line at once, those after it are one more with their count. Whoever
 * knocks a thousand times a second writes two lines a minute, and not the trail full.
 */
export class RefusalFold {
  readonly #note: Note
  readonly #clock: Clock
  readonly #folded = new Map<string, Folded>()
  #timer: (() => void) | undefined

  constructor(note: Note, clock: Clock) {
    this.#note = note
    this.#clock = clock
  }

  add(deed: Deed): void {
    this.#timer ??= this.#clock.after(windowMs, this.flush)
    const key = [deed.actor.id, deed.actor.type, deed.actor.via, deed.code, deed.action, deed.on?.type].join('\n')
    const known = this.#folded.get(key) ?? this.#folded.get(this.#folded.size < mostKept ? key : '')
    if (known) {
      known.count += 1
      return
    }
    const isOne = this.#folded.size < mostKept
    // Of more kinds than anybody would read, how many there were.
    const shown: Deed = isOne ? deed : { ...deed, actor: { id: 'many', type: 'anonymous' }, on: undefined }
    this.#folded.set(isOne ? key : '', { deed: shown, count: 0 })
    this.#note(shown)
  }

  /** What came after the first. */
  readonly flush = (): void => {
    this.#timer?.()
    this.#timer = undefined
    const folded = [...this.#folded.values()]
    this.#folded.clear()
    for (const { deed, count } of folded) if (count > 0) this.#note({ ...deed, count })
  }
}

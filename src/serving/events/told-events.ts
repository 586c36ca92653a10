import { randomUUID } from 'node:crypto'
import type { Clock } from '../../model/clock.js'
import type { ToldEvent } from '../../model/told-event.js'
import type { ToldBook } from './told-book.js'

/** An event before it has its id and time. */
export type Happening = Omit<ToldEvent, 'id' | 'at' | 'replica'>

/** How often one and the same thing is told. */
export interface Once {
  readonly key: string
  readonly forMs: number
  /** As true after a restart: then what was told before is not told again. Default: only other replicas are asked. */
  readonly isKept?: boolean | undefined
}

export interface ToldEventsParts {
  readonly clock: Clock
  readonly book: Pick<ToldBook, 'claim'>
  /** Our name, where there are others. */
  readonly replica?: string | undefined
  /** Told what became of each. */
  readonly count: (type: ToldEvent['type'], outcome: 'told' | 'repeated' | 'dropped') => void
  /** More happens than anybody reads. Told once, until it is calm again. */
  readonly tooMany: (most: number) => void
}

export type EventListener = (event: ToldEvent) => void

const mostAMinute = 60
const mostKeys = 20_000

/** The stream of what happens on a board that people want to be told of: each thing once, and never a flood. */
export class ToldEvents {
  readonly #parts: ToldEventsParts
  #listeners: readonly EventListener[] = []
  readonly #told = new Map<string, number>()
  #minute = { began: Number.NEGATIVE_INFINITY, count: 0 }

  constructor(parts: ToldEventsParts) {
    this.#parts = parts
  }

  on(listener: EventListener): () => void {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener)
    }
  }

  /** Tells it, unless it was told, here or by another replica. */
  async tell(happening: Happening, once: Once): Promise<void> {
    const { clock, book, replica, count } = this.#parts
    const at = clock.wall()
    if ((this.#told.get(once.key) ?? 0) > at) return count(happening.type, 'repeated')
    if (this.#told.size >= mostKeys) this.#told.delete(this.#told.keys().next().value as string)
    this.#told.set(once.key, at + once.forMs)
    if ((once.isKept || replica !== undefined) && !(await book.claim(once.key, once.forMs)))
      return count(happening.type, 'repeated')
    if (!this.#hasRoom()) return count(happening.type, 'dropped')
    count(happening.type, 'told')
    this.#say({ id: randomUUID(), at, ...happening, replica })
  }

  #say(event: ToldEvent): void {
    const frozen = Object.freeze(event)
    for (const listener of this.#listeners) listener(frozen)
  }

  #hasRoom(): boolean {
    const now = this.#parts.clock.now()
    if (now - this.#minute.began >= 60_000) this.#minute = { began: now, count: 0 }
    this.#minute.count += 1
    if (this.#minute.count === mostAMinute + 1) this.#parts.tooMany(mostAMinute)
    return this.#minute.count <= mostAMinute
  }
}

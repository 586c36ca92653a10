import { createHash } from 'node:crypto'
import type { Clock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import type { SharedDocuments, StoredDocument } from '../../storage/store.js'

/** Where it is kept what was told. */
export const toldKind = 'told-events'

const mostKept = 2000

/** Who tells of something that several processes know, or that is as true after a restart: whoever writes it down first. */
export class ToldBook implements AsyncDisposable {
  readonly #open: () => SharedDocuments
  readonly #clock: Pick<Clock, 'wall'>
  #documents: SharedDocuments | undefined

  constructor(open: () => SharedDocuments, clock: Pick<Clock, 'wall'>) {
    this.#open = open
    this.#clock = clock
  }

  /** Whether it is ours to tell. Where nobody can say, it is: twice is better than never. */
  async claim(key: string, forMs: number): Promise<boolean> {
    const id = createHash('sha256').update(key).digest('hex').slice(0, 40)
    const now = this.#clock.wall()
    let over: readonly string[] = []
    try {
      this.#documents ??= this.#open()
      const isOurs = await this.#documents.addUnless(id, { until: now + forMs }, (there) => {
        over = there.length > mostKept ? there.filter((each) => isOver(each, now)).map((each) => each.id) : []
        return there.some((each) => each.id === id && !isOver(each, now))
      })
      for (const each of over) if (each !== id) await this.#documents.delete(each)
      return isOurs
    } catch {
      return true
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#documents?.[Symbol.asyncDispose]()
  }
}

const isOver = ({ value }: StoredDocument, now: number): boolean =>
  !isRecord(value) || typeof value.until !== 'number' || value.until <= now

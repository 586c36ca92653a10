import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import type { Storage } from '../storage.js'
import type { DocumentSet, SharedDocuments, Store, StoredDocument, ToolUses } from '../store.js'
import type { DocumentPlace, Keeper, WrittenIf } from './keeper.js'
import type { LineMessage } from './line.js'
import { digestOf } from './parent-storage.js'

export type DocumentAnswers = Pick<
  Keeper,
  | 'getDocument'
  | 'allDocuments'
  | 'putDocuments'
  | 'addDocuments'
  | 'addDocument'
  | 'changeDocument'
  | 'deleteDocument'
  | 'sharedVersion'
  | 'addUses'
>

// Programs of this user write keys beside us, and a revoked one must end within a second.
const lookEveryMs = 500

/** The documents of several processes, kept by one. */
export class KeptDocuments {
  readonly #storage: Storage
  readonly #open: () => Promise<Store>
  readonly #tell: (message: LineMessage) => void
  readonly #clock: Clock
  readonly #shared = new Map<string, SharedKind>()
  #cancel = (): void => {}

  constructor(storage: Storage, open: () => Promise<Store>, tell: (message: LineMessage) => void, clock: Clock) {
    this.#storage = storage
    this.#open = open
    this.#tell = tell
    this.#clock = clock
    this.#watch()
  }

  async close(): Promise<void> {
    this.#cancel()
    for (const { documents } of this.#shared.values()) await documents[Symbol.asyncDispose]()
  }

  answers(): DocumentAnswers {
    const at = (place: DocumentPlace) => this.#at(place)
    const written = async <T>(place: DocumentPlace, writing: Promise<T>): Promise<T> => {
      const done = await writing
      if (done === false || done === 'stale') return done
      if (place.of === 'shared') await this.#sharedOf(place.kind).look()
      this.#tell({ told: 'kind', kind: place.kind })
      return done
    }
    return {
      getDocument: async (place, id) => (await at(place)).get(id),
      allDocuments: async (place) => (await at(place)).all(),
      putDocuments: async (place, documents) => written(place, (await at(place)).putMany(documents)),
      addDocuments: async (place, documents) => written(place, addMissing(await at(place), documents)),
      addDocument: async (place, document, others) => {
        let isStale = false
        const forbid = (there: readonly StoredDocument[]): boolean => {
          isStale = digestOf(there) !== others
          return isStale
        }
        const adding = (await at(place)).addUnless(document.id, document.value, forbid)
        return written(
          place,
          adding.then((wasAdded): WrittenIf => (isStale ? 'stale' : wasAdded)),
        )
      },
      changeDocument: async (place, { id, seen, value }) => {
        let isStale = false
        const changing = (await at(place)).update(id, (current) => {
          isStale = !isDeepStrictEqual(current, seen)
          return isStale ? current : value
        })
        return written(
          place,
          changing.then((wasThere): WrittenIf => (isStale ? 'stale' : wasThere)),
        )
      },
      deleteDocument: async (place, id) => written(place, (await at(place)).delete(id)),
      sharedVersion: async (kind) => this.#sharedOf(kind).look(),
      addUses: async (kind, uses) => addUses(this.#sharedOf(kind).documents, uses),
    }
  }

  async #at({ kind, of }: DocumentPlace): Promise<DocumentSet> {
    return of === 'shared' ? this.#sharedOf(kind).documents : (await this.#open()).documents(kind)
  }

  #sharedOf(kind: string): SharedKind {
    const known = this.#shared.get(kind) ?? new SharedKind(this.#storage.shared(kind))
    this.#shared.set(kind, known)
    return known
  }

  /** What other programs wrote is told like what our own processes did. */
  #watch(): void {
    this.#cancel = this.#clock.after(lookEveryMs, () => {
      for (const [kind, shared] of this.#shared) {
        const before = shared.version
        shared.look().then(
          (now) => now !== before && this.#tell({ told: 'kind', kind }),
          // Whoever reads it next is told why it cannot be read.
          () => {},
        )
      }
      this.#watch()
    })
  }
}

/** Shared documents with a count of their writes, so that each process knows what it has not seen. */
class SharedKind {
  readonly documents: SharedDocuments
  version = 0

  constructor(documents: SharedDocuments) {
    this.documents = documents
  }

  async look(): Promise<number> {
    if (await this.documents.refresh()) this.version++
    return this.version
  }
}

const addMissing = async (documents: DocumentSet, added: readonly StoredDocument[]): Promise<void> => {
  if (documents.addMany) return documents.addMany(added)
  // Most are not there yet, or all are.
  const there = new Set((await documents.all()).map(({ id }) => id))
  for (const { id, value } of added)
    if (!there.has(id)) await documents.addUnless(id, value, (now) => now.some((each) => each.id === id))
}

const addUses = async (documents: SharedDocuments, uses: readonly ToolUses[]): Promise<void> => {
  if (documents.addUses) return documents.addUses(uses)
  for (const { id, count, lastUsed } of uses)
    await documents.update(id, (current) => {
      if (!isRecord(current)) return current
      const before = typeof current.useCount === 'number' ? current.useCount : 0
      const last = typeof current.lastUsed === 'number' ? current.lastUsed : 0
      return { ...current, useCount: before + count, lastUsed: Math.max(last, lastUsed ?? 0) || null }
    })
}

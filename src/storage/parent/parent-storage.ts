import { createHash } from 'node:crypto'
import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonValue } from '../../model/json.js'
import type { Commons } from '../commons.js'
import { checkKind, toDocument } from '../documents.js'
import { storeClosed } from '../problems.js'
import type { Storage } from '../storage.js'
import type { DocumentSet, SharedDocuments, Store, StoredDocument, StoredTool, ToolSelection } from '../store.js'
import { toStoredTool } from '../stored-tool.js'
import { checkTemperature } from '../tool-set.js'
import { Followers } from './followers.js'
import type { DocumentPlace, Keeper, WrittenIf } from './keeper.js'
import { Asker, type KeeperLine } from './line.js'

/** The storage of another process, reached over a line: what is read here is read there, and so is what is written. */
export const openParentStorage = async (line: KeeperLine, clock: Clock): Promise<Storage> => {
  const asker = new Asker<Keeper>(line)
  const followers = new Followers(line)
  const turns = new Turns()
  const { backend, place, hasCommons } = await asker.ask('backend')
  return {
    backend,
    place,
    kinds: () => asker.ask('kinds'),
    bytes: () => asker.ask('bytes'),
    store: async () => {
      await asker.ask('open')
      return storeOver(asker, followers, turns)
    },
    reader: () => storeOver(asker, followers, turns),
    shared: (kind) => sharedOver(asker, followers, turns, checkKind(kind)),
    commons: hasCommons ? commonsOver(asker, followers, line, clock) : undefined,
    [Symbol.asyncDispose]: async () => {},
  }
}

type Ask = Asker<Keeper>['ask']

/** Digest of what was seen, in whatever order, so that a write can be made on that alone. */
export const digestOf = (documents: readonly StoredDocument[]): string => {
  const rows = documents.map(({ id, value }) => JSON.stringify([id, value]))
  return createHash('sha256').update(rows.sort().join('\n')).digest('base64url')
}

// One message must not hold up connections that are handed over on the same way.
const pageSize = 500

const storeOver = (asker: Asker<Keeper>, followers: Followers, turns: Turns): Store => {
  const door = new Door(asker, 'the data folder')
  const { ask } = door
  const leaving: (() => void)[] = []
  const select = async (selection: ToolSelection): Promise<readonly StoredTool[]> => {
    const found: StoredTool[] = []
    const most = selection.limit ?? Number.POSITIVE_INFINITY
    for (let after = selection.after; ; ) {
      const limit = Math.min(pageSize, most - found.length)
      const page = await ask('select', { ...selection, after, limit })
      found.push(...page)
      if (page.length < limit || found.length >= most) return found
      after = page.at(-1)!.id
    }
  }
  return {
    load: () => select({}),
    select,
    save: async (tool) => ask('saveMany', [toStoredTool(tool)]),
    saveMany: async (tools) => ask('saveMany', tools.map(toStoredTool)),
    add: async (tools) => ask('add', tools.map(toStoredTool)),
    delete: (id) => ask('delete', id),
    validate: () => ask('validate'),
    loadByTemperature: async (temperature, limit) => {
      checkTemperature(temperature, limit)
      return ask('loadByTemperature', { temperature, limit })
    },
    loadByTag: (tag) => ask('loadByTag', tag),
    uses: () => ask('uses'),
    merge: async (tools, uses) => ask('merge', tools.map(toStoredTool), uses),
    documents: (kind) => {
      door.checkOpen()
      return documentsOver(ask, followers, turns, { kind: checkKind(kind), of: 'store' })
    },
    follow: (listener) => {
      followers.tools.add(listener)
      const leave = (): void => void followers.tools.delete(listener)
      leaving.push(leave)
      return leave
    },
    [Symbol.asyncDispose]: async () => {
      for (const leave of leaving) leave()
      await door.close()
    },
  }
}

// Writers of one kind are few; who never gets a turn meets something else than another writer.
const mostTries = 1000

const documentsOver = (ask: Ask, followers: Followers, turns: Turns, place: DocumentPlace): DocumentSet => {
  const all = () => ask('allDocuments', place)
  const get = async (id: string): Promise<JsonValue | undefined> => ask('getDocument', place, id)
  const untilWritten = (attempt: () => Promise<WrittenIf>): Promise<boolean> =>
    turns.take(`${place.of} ${place.kind}`, async () => {
      for (let tries = 0; tries < mostTries; tries++) {
        const written = await attempt()
        if (written !== 'stale') return written
      }
      throw busy(place.kind)
    })
  return {
    get,
    all,
    put: async (id, value) => ask('putDocuments', place, [toDocument(id, value)]),
    putMany: async (documents) => ask('putDocuments', place, documents.map(checked)),
    addMany: async (documents) => ask('addDocuments', place, documents.map(checked)),
    addUnless: async (id, value, forbid) => {
      const document = toDocument(id, value)
      return untilWritten(async () => {
        const there = await all()
        return forbid(there) ? false : ask('addDocument', place, document, digestOf(there))
      })
    },
    update: (id, change) =>
      untilWritten(async () => {
        const seen = await get(id)
        if (seen === undefined) return false
        return ask('changeDocument', place, { id, seen, value: toDocument(id, change(seen)).value })
      }),
    delete: (id) => ask('deleteDocument', place, id),
    follow: (listener) => followers.of(place.kind).add(listener),
  }
}

const busy = (kind: string): GatewayError =>
  new GatewayError(
    'STORE_WRITE_FAILED',
    `Others wrote to '${kind}' ${mostTries} times while this write waited. Try again.`,
  )

/** Lets questions through until it is closed, and closes behind the last of them. */
class Door {
  readonly ask: Ask = (what, ...asked) => {
    if (this.#isClosed) return Promise.reject(storeClosed(this.#what))
    const answer = this.#asker.ask(what, ...asked)
    const done = answer.then(nothing, nothing).finally(() => void this.#open.delete(done))
    this.#open.add(done)
    return answer
  }
  readonly #asker: Asker<Keeper>
  readonly #what: string
  readonly #open = new Set<Promise<void>>()
  #isClosed = false

  constructor(asker: Asker<Keeper>, what: string) {
    this.#asker = asker
    this.#what = what
  }

  checkOpen(): void {
    if (this.#isClosed) throw storeClosed(this.#what)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#open)
  }
}

const nothing = (): void => {}

/** Changes that build on what was seen, one after the other: those of one process must not spoil each other's. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  take<T>(of: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(of) ?? Promise.resolve()).then(work)
    this.#last.set(
      of,
      done.catch(() => {}),
    )
    return done
  }
}

const checked = ({ id, value }: StoredDocument): StoredDocument => toDocument(id, value)

const sharedOver = (asker: Asker<Keeper>, followers: Followers, turns: Turns, kind: string): SharedDocuments => {
  const door = new Door(asker, `the documents '${kind}'`)
  const { ask } = door
  let seen: number | undefined
  return {
    ...documentsOver(ask, followers, turns, { kind, of: 'shared' }),
    refresh: async () => {
      const before = seen
      seen = await ask('sharedVersion', kind)
      return seen !== before
    },
    addUses: (uses) => ask('addUses', kind, uses),
    [Symbol.asyncDispose]: () => door.close(),
  }
}

// As often as the interface allows: who asks for keys that are not there must not keep the keeper busy.
const lookEveryMs = 100

const commonsOver = (asker: Asker<Keeper>, followers: Followers, line: KeeperLine, clock: Clock): Commons => {
  let isUp = true
  let looked = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const waitMs = looked + lookEveryMs - clock.now()
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve, true))
    looked = clock.now()
    // Who asks from here on may mean what is written from here on.
    looking = undefined
    // The line keeps order: what was told before the answer has been heard by then.
    await asker.ask('look').catch(() => {})
    await followers.settled()
  }
  const onUp = new Set<(isUp: boolean) => void>()
  line.onEnd(() => {
    isUp = false
    for (const listener of onUp) listener(false)
  })
  return {
    get isUp() {
      return isUp
    },
    lagMs: () => 0,
    onUp: (listener) => {
      onUp.add(listener)
      return () => void onUp.delete(listener)
    },
    follow: (kind, listener) => followers.of(kind).add(listener),
    look: () => (looking ??= look()),
    secret: () => asker.ask('secret'),
    leases: {
      beat: (sign) => asker.ask('beat', sign),
      take: (name, holder, leaseMs) => asker.ask('take', name, holder, leaseMs),
      giveBack: (lease, holder) => asker.ask('giveBack', lease, holder),
      read: (leaseMs) => asker.ask('standing', leaseMs),
      release: (name) => asker.ask('release', name),
      leave: (replica) => asker.ask('leave', replica),
    },
    buckets: { draw: (key, wanted, limit) => asker.ask('draw', key, wanted, limit) },
    sessions: {
      get: (sid) => asker.ask('getSession', sid),
      put: (sid, state, until) => asker.ask('putSession', sid, state, until),
      end: (sid, until) => asker.ask('endSession', sid, until),
      changes: () => asker.ask('sessionChanges'),
    },
    pending: {
      put: (id, sealed, until) => asker.ask('putPending', id, sealed, until),
      take: (id) => asker.ask('takePending', id),
    },
  }
}

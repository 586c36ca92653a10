import { messageOf } from '../errors.js'
import type { Identity } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { SharedDocuments } from '../storage/store.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { type FollowedRows, openFollowedRows } from './followed-rows.js'
import type { People, Person } from './people.js'
import { isCount, isIdentity } from './session-record.js'

export interface PeopleOptions {
  /** Where the rows are; other processes may change them at any time. */
  readonly documents: SharedDocuments
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /** How often to look for changes by other processes, where nobody tells us of them. Default: 500 ms. */
  readonly followMs?: number | undefined
  /** How many are remembered; who was not seen for longest makes room. Default: 20,000. */
  readonly most?: number | undefined
}

/** How exactly it is known when somebody was last here. */
export const seenEveryMs = 60 * 60_000
/** How long news of people are collected, to be written together. */
export const seenDelayMs = 2000

/** Reads who was here and follows it until disposed. Rejects if it cannot be read: somebody may have been ended. */
export const createPeople = async (options: PeopleOptions): Promise<People> => {
  const store = new PersonStore(options)
  await store.open()
  return store
}

class PersonStore implements People {
  readonly #documents: SharedDocuments
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #options: PeopleOptions
  readonly #listeners = new Set<(id: string) => void>()
  /** Undefined until the first reading is over. */
  #table: FollowedRows<Person> | undefined
  #ends = new Map<string, number>()
  #byAddress = new Map<string, Person | undefined>()
  readonly #heardOf = new WeakMap<Identity, number>()
  #news = new Map<string, Identity>()
  #cancelFlush: (() => void) | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: PeopleOptions) {
    const { documents, clock, logger = silentLogger } = options
    this.#options = options
    this.#documents = documents
    this.#clock = clock
    this.#logger = logger
  }

  get #rows(): ReadonlyMap<string, Person> {
    return this.#table?.rows ?? new Map()
  }

  async open(): Promise<void> {
    this.#table = await openFollowedRows<Person>({
      documents: this.#documents,
      clock: this.#clock,
      logger: this.#logger,
      what: 'people',
      parse: parsePerson,
      followMs: this.#options.followMs,
      onChange: (rows) => this.#announce(rows),
    })
  }

  seen(identity: Identity): void {
    // On the path of every request: the same row says the same for a while.
    const now = this.#clock.wall()
    if (now - (this.#heardOf.get(identity) ?? 0) < seenEveryMs) return
    this.#heardOf.set(identity, now)
    const known = this.#rows.get(identity.id)
    if (known && now - known.lastSeen < seenEveryMs && !differs(known, identity)) return
    this.#news.set(identity.id, identity)
    if (!known) return this.#welcome(identity, now)
    this.#cancelFlush ??= this.#clock.after(seenDelayMs, () => void this.#flush())
  }

  /** Whoever is new can be ended from the first moment on, here and elsewhere. */
  #welcome(identity: Identity, now: number): void {
    this.#table?.note(identity.id, Object.freeze({ ...identity, firstSeen: now, lastSeen: now }))
    void this.#flush()
  }

  list(): readonly Person[] {
    return [...this.#rows.values()].sort((a, b) => b.lastSeen - a.lastSeen || (a.id < b.id ? -1 : 1))
  }

  find(text: string): Person | undefined {
    const byId = this.#rows.get(text)
    if (byId) return byId
    const address = text.toLowerCase()
    const byAddress = this.list().filter(({ email }) => email?.toLowerCase() === address)
    const found = byAddress.length > 0 ? byAddress : this.list().filter(({ name }) => name === text)
    // Two people of one name are nobody: the wrong one would be ended.
    return found.length === 1 ? found[0] : undefined
  }

  ownerOf(owner: string): Person | undefined {
    return this.#rows.get(owner) ?? this.#byAddress.get(owner.toLowerCase())
  }

  isEnded(id: string, issuedAt: number): boolean {
    const endedAt = this.#ends.get(id)
    return endedAt !== undefined && issuedAt <= endedAt
  }

  async end(id: string): Promise<boolean> {
    // Somebody who was here a moment ago may not be written yet.
    await this.#flush()
    const endedAt = this.#clock.wall()
    let person: Person | undefined
    const found = await this.#documents.update(id, (current) => {
      const known = parsePerson(id, current)
      person = known && { ...known, endedAt: Math.max(endedAt, known.endedAt ?? 0) }
      return person ? toValue(person) : current
    })
    if (found && person) this.#table?.note(id, person)
    return found && person !== undefined
  }

  onEnd(listener: (id: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#table?.close()
    await this.#flush()
    await this.#documents[Symbol.asyncDispose]()
  }

  #announce(rows: ReadonlyMap<string, Person>): void {
    this.#byAddress = new Map()
    for (const person of rows.values()) {
      const address = person.email?.toLowerCase()
      // Of two who have it, neither: one of them would act as the other.
      if (address !== undefined) this.#byAddress.set(address, this.#byAddress.has(address) ? undefined : person)
    }
    const before = this.#ends
    this.#ends = new Map([...rows].flatMap(([id, { endedAt }]) => (endedAt === undefined ? [] : [[id, endedAt]])))
    // At the start there is nobody to tell yet: what counts then is `isEnded`.
    for (const [id, endedAt] of this.#ends) if (endedAt > (before.get(id) ?? 0)) this.#tell(id)
  }

  #tell(id: string): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(id)
      } catch (error) {
        this.#logger.log('error', `A listener for people who leave failed: ${messageOf(error)}`)
      }
    }
  }

  #flush(): Promise<void> {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    this.#flushing = this.#flushing.then(async () => {
      const batch = this.#news
      this.#news = new Map()
      try {
        for (const identity of batch.values()) await this.#write(identity)
      } catch (error) {
        this.#logger.log('warn', `Who was here is not saved yet: ${messageOf(error)}`)
      }
    })
    return this.#flushing
  }

  async #write(identity: Identity): Promise<void> {
    const now = this.#clock.wall()
    let person: Person = { ...identity, firstSeen: now, lastSeen: now }
    const found = await this.#documents.update(identity.id, (current) => {
      const known = parsePerson(identity.id, current)
      // What was written there by somebody else stays: when they were first here, and when they were ended.
      person = { ...identity, firstSeen: known?.firstSeen ?? now, lastSeen: now, endedAt: known?.endedAt }
      return toValue(person)
    })
    if (!found) {
      await this.#makeRoom(identity.id)
      const value = toValue(person)
      const added = await this.#documents.addUnless(identity.id, value, (there) =>
        there.some(({ id }) => id === identity.id),
      )
      // Another process was quicker, and may have ended them since.
      if (!added) return this.#table?.refresh()
    }
    this.#table?.note(identity.id, person)
  }

  /** Those who were ended stay longest: what was issued to them before must go on opening nothing. */
  async #makeRoom(newcomer: string): Promise<void> {
    const { most = 20_000 } = this.#options
    const others = [...this.#rows.values()].filter(({ id }) => id !== newcomer)
    const surplus = others.length - most + 1
    if (surplus <= 0) return
    const rank = ({ endedAt }: Person) => (endedAt === undefined ? 0 : 1)
    const byAge = others.sort((a, b) => rank(a) - rank(b) || a.lastSeen - b.lastSeen)
    for (const { id } of byAge.slice(0, surplus)) {
      await this.#documents.delete(id)
      this.#table?.note(id, undefined)
    }
  }
}

const differs = (known: Person, { name, email, groups }: Identity): boolean =>
  known.name !== name || known.email !== email || JSON.stringify(known.groups) !== JSON.stringify(groups)

/** A person as they were written, or undefined. */
const parsePerson = (id: string, value: JsonValue): Person | undefined => {
  const whole =
    isRecord(value) &&
    isIdentity({ ...value, id }) &&
    [value.firstSeen, value.lastSeen].every(isCount) &&
    (value.endedAt === undefined || isCount(value.endedAt))
  return whole ? Object.freeze({ ...(value as object), id } as Person) : undefined
}

const toValue = ({ id: _, ...fields }: Person): JsonObject => fields as unknown as JsonObject

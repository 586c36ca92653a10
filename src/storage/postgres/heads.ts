import { Announcements } from './announcements.js'
import { type Postgres, whole } from './connection.js'

type Told = (version: number) => void | Promise<void>

/** How long nobody may have read the heads before we do. Who beats for the fleet reads them each second along with it. */
const pollMs = 1000
/** Where a beat brings the heads, ours comes only when it is late. */
const beatenMs = 1400

/**
 * The version of each kind of rows, as far as this process knows. Writers raise it in their own transaction, under its row
 * lock, so that versions are in the order of commits and a reader of "above n" misses nothing. Announcements make it quick,
 * and being asked every second makes it sure.
 */
export class Heads implements AsyncDisposable {
  readonly #database: Postgres
  readonly #known = new Map<string, number>()
  readonly #first = new Map<string, number>()
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #announcements: Announcements
  #readings = 0
  #learnt = new Map<string, number>()
  #readAt: number | undefined
  #reading: Promise<void> | undefined
  #cancelPoll = () => {}
  #stopUp = () => {}
  #isWatching = false
  #isClosed = false
  #housekeeping: (() => Promise<void>) | undefined

  constructor(database: Postgres) {
    this.#database = database
    this.#announcements = new Announcements(database, {
      onNotice: (payload) => this.#notice(payload),
      onListening: () => void this.read(),
    })
  }

  /** Milliseconds since the heads were last read. */
  lagMs(): number {
    return this.#readAt === undefined ? Number.POSITIVE_INFINITY : this.#database.clock.now() - this.#readAt
  }

  /** The version that is known of a kind; 0 where nothing was ever written. */
  versionOf(kind: string): number {
    return this.#known.get(kind) ?? 0
  }

  /** The version that a kind had when this process first looked. */
  firstOf(kind: string): number {
    return this.#first.get(kind) ?? 0
  }

  /** Whether the heads were read at least once. */
  get isRead(): boolean {
    return this.#readAt !== undefined
  }

  follow(kind: string, told: Told): () => void {
    const set = this.#followers.get(kind) ?? new Set()
    this.#followers.set(kind, set)
    const own = new Follower(told)
    set.add(own)
    this.watch()
    return () => set.delete(own)
  }

  /** Follows from now on: announcements, and a look each second. */
  watch(): void {
    if (this.#isWatching || this.#isClosed) return
    this.#isWatching = true
    this.#database.watched()
    // What was announced while the connection was gone is lost; and one that seemed to live may not hear any more.
    this.#stopUp = this.#database.onUp((isUp) => isUp && this.#announcements.renew())
    this.#announcements.start()
    this.#plan(0)
  }

  /** Reads all heads once; who asks meanwhile gets the same answer. Never rejects. */
  read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** As `read`, asked of the database after this was called. */
  async readAfresh(): Promise<void> {
    await this.#reading
    await this.read()
  }

  /** Reads the heads once, if they were not; rejects where that cannot be. */
  async begin(): Promise<void> {
    if (this.#readAt !== undefined) return
    const since = this.mark()
    this.take(await this.#ask(), since)
  }

  /** Resolves when all who follow have taken up what they were told. */
  async settled(): Promise<void> {
    await Promise.all([...this.#followers.values()].flatMap((set) => [...set].map((each) => each.settled())))
  }

  /** Heads that came along with another statement, which was asked when `reading` said so. */
  take(rows: readonly (readonly [kind: string, version: number])[], since: number, isBeat = false): void {
    if (this.#isClosed) return
    this.#readAt = this.#database.clock.now()
    const isFirst = this.#first.size === 0
    for (const [kind, version] of rows) if (isFirst) this.#first.set(kind, version)
    for (const [kind, version] of rows) this.learn(kind, version, since)
    if (isFirst && rows.length === 0) this.#first.set('', 0)
    if (this.#isWatching) this.#plan(isBeat ? beatenMs : pollMs)
  }

  /** A mark to hand to `take`: what is learnt after it is newer than what was asked before it. */
  mark(): number {
    return ++this.#readings
  }

  /**
   * A head that somebody told us of, or that we raised. A lower one than we know is old news, unless it was asked for after
   * we learnt the higher: then the database was put back to an earlier state, and everybody reads again.
   */
  learn(kind: string, version: number, since = 0): void {
    const known = this.#known.get(kind)
    if (known === version || (known !== undefined && version < known && since <= (this.#learnt.get(kind) ?? 0))) return
    this.#known.set(kind, version)
    this.#learnt.set(kind, this.mark())
    for (const follower of [...(this.#followers.get(kind) ?? [])]) follower.tell(version)
  }

  /** Done by one of the replicas now and then, while somebody follows. */
  keepHouse(work: () => Promise<void>): void {
    this.#housekeeping = work
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#cancelPoll()
    this.#stopUp()
    this.#followers.clear()
    await this.#announcements[Symbol.asyncDispose]()
    await this.#reading
  }

  async #readNow(): Promise<void> {
    if (this.#isClosed) return
    const since = this.mark()
    try {
      this.take(await this.#ask(), since)
      await this.#keepHouse()
    } catch {
      // Whoever must know that the database is away is told by it; the next look comes by itself.
      if (this.#isWatching && !this.#isClosed) this.#plan(pollMs)
    }
  }

  async #ask(): Promise<readonly (readonly [string, number])[]> {
    const rows = await this.#database.probe(`select kind, version from ${this.#database.tables.head}`)
    return rows.map(({ kind, version }) => [String(kind), whole(version)] as const)
  }

  async #keepHouse(): Promise<void> {
    const work = this.#housekeeping
    if (!work || !this.#isWatching) return
    this.#housekeeping = undefined
    await work().catch(() => {})
    // Not all replicas at once.
    this.#database.clock.after(houseMs * (0.5 + Math.random()), () => {
      this.#housekeeping = work
    })
  }

  #plan(delayMs: number): void {
    this.#cancelPoll()
    this.#cancelPoll = this.#database.clock.after(delayMs, () => void this.read())
  }

  #notice(payload: string): void {
    const [kind, version] = payload.split(' ')
    if (kind && version && /^\d+$/.test(version)) this.learn(kind, Number(version))
    else void this.read()
  }
}

/** One who follows: told one thing at a time, and of several that came meanwhile only the last. */
class Follower {
  readonly #told: Told
  #next: number | undefined
  #running: Promise<void> | undefined

  constructor(told: Told) {
    this.#told = told
  }

  tell(version: number): void {
    this.#next = version
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      const version = this.#next
      this.#next = undefined
      try {
        await this.#told(version)
      } catch {
        // Whoever could not take it up has said so; it is told again with the next news.
      }
    }
  }
}

const houseMs = 10 * 60 * 1000

/**
 * The part of a statement that raises the head of `kind` and announces it: `raised (version)`. Whoever writes rows that carry
 * the version selects from it first, and so waits for the row's lock before touching anything.
 */
export const raise = (tables: { readonly head: string }, kind: string): string =>
  `raised as (insert into ${tables.head} as head (kind, version) values (${kind}, 1)
     on conflict (kind) do update set version = head.version + 1 returning version)`

/** To select at the end of such a statement. At most 64 bytes: a kind too long for that is looked up instead. */
export const announce = (tables: { readonly channel: string }, kind: string): string =>
  `pg_notify('${tables.channel}', case when octet_length(${kind}) < 44 then ${kind} || ' ' || version else '' end)`

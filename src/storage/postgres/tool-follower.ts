import type { StoredTool } from '../store.js'
import { type Postgres, whole } from './connection.js'
import type { Heads } from './heads.js'
import { fromTools, rowsAtOnce, toolColumns, toolOf, toolsKind } from './tool-rows.js'

/** When reading is tried again that failed. */
const againMs = 1000

type Listener = (changed: readonly StoredTool[], gone: readonly string[]) => void

/**
 * Reads what others wrote of the tools and tells it, in the order of their commits. Reading and our own writing take turns:
 * an announcement of our own write may come before its answer, and would look like somebody else's.
 */
export class ToolFollower implements AsyncDisposable {
  readonly #database: Postgres
  readonly #heads: Heads
  readonly #listeners = new Set<Listener>()
  readonly #ours = new Set<number>()
  #ids: Set<string> | undefined
  #known = 0
  #turn: Promise<unknown> = Promise.resolve()
  #stop = () => {}
  #isClosed = false

  constructor(database: Postgres, heads: Heads) {
    this.#database = database
    this.#heads = heads
  }

  /** Runs a write of ours while nothing is read for followers. */
  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work)
  }

  /** A version that this store wrote, which nobody who follows it is told. */
  wrote(version: number): void {
    if (this.#listeners.size > 0) this.#ours.add(version)
    this.#heads.learn(toolsKind, version)
  }

  /** From what is known now: whatever is written after this is told, some of what was written just before it may be. */
  follow(listener: Listener): () => void {
    const own: Listener = (changed, gone) => listener(changed, gone)
    if (this.#listeners.size === 0) {
      this.#known = this.#heads.versionOf(toolsKind)
      this.#ids = undefined
      this.#stop = this.#heads.follow(toolsKind, () => this.#inTurn(() => this.#catchUp()))
      this.#inTurn(() => this.#readIds()).catch(() => {})
    }
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#stop()
    this.#listeners.clear()
    await this.#turn.catch(() => {})
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** The ids that are there, for the day when what is gone must be found by comparing. */
  async #readIds(): Promise<void> {
    const rows = await this.#database.read(`select id from ${this.#database.tables.tool} where not deleted`)
    this.#ids ??= new Set(rows.map(({ id }) => String(id)))
  }

  async #catchUp(): Promise<void> {
    if (this.#isClosed || this.#listeners.size === 0) return
    try {
      if (this.#ids === undefined) await this.#readIds()
      await this.#readOn()
    } catch (error) {
      // The head is known to be higher than what we have read, and nobody will say so again.
      if (!this.#isClosed)
        this.#database.clock.after(againMs, () => void this.#inTurn(() => this.#catchUp()).catch(() => {}))
      throw error
    }
  }

  async #readOn(): Promise<void> {
    const head = this.#heads.versionOf(toolsKind)
    if (head === this.#known) return
    if (head < this.#known || (await this.#isTooOld(this.#known))) return this.#reload()
    const { tables } = this.#database
    for (;;) {
      const rows = await this.#database.read(
        `select ${toolColumns}, t.version, t.deleted from ${fromTools(tables)} where t.version > $1 order by t.version limit ${rowsAtOnce}`,
        [this.#known],
      )
      // A version that the limit cut in two is read again whole.
      const isCut = rows.length === rowsAtOnce
      const last = whole(rows.at(-1)?.version ?? head)
      const read =
        isCut && whole(rows[0]?.version) !== last ? rows.filter(({ version }) => whole(version) !== last) : rows
      if (isCut && read.length === rows.length) return this.#reload()
      this.#known = isCut ? whole(read.at(-1)?.version) : Math.max(last, head)
      this.#tell(
        read.filter(({ version, deleted }) => !deleted && !this.#ours.has(whole(version))).map(toolOf),
        read.filter(({ version, deleted }) => deleted && !this.#ours.has(whole(version))).map(({ id }) => String(id)),
      )
      for (const { id, deleted } of read) deleted ? this.#ids?.delete(String(id)) : this.#ids?.add(String(id))
      for (const version of this.#ours) if (version <= this.#known) this.#ours.delete(version)
      if (!isCut) return
    }
  }

  /** Rows that say "gone" are kept for a day; who was away for longer compares everything. */
  async #isTooOld(known: number): Promise<boolean> {
    const [row] = await this.#database.read(
      `select value from ${this.#database.tables.meta} where key = 'pruned tools'`,
    )
    return row !== undefined && whole(row.value) > known
  }

  async #reload(): Promise<void> {
    const before = this.#ids ?? new Set()
    const head = this.#heads.versionOf(toolsKind)
    const { tables } = this.#database
    const rows = await this.#database.read(
      `select ${toolColumns} from ${fromTools(tables)} where not t.deleted order by t.id`,
    )
    const ids = new Set(rows.map(({ id }) => String(id)))
    this.#ids = ids
    this.#known = head
    this.#ours.clear()
    this.#tell(
      rows.map(toolOf),
      [...before].filter((id) => !ids.has(id)),
    )
  }

  #tell(changed: readonly StoredTool[], gone: readonly string[]): void {
    if (changed.length + gone.length === 0) return
    for (const tell of [...this.#listeners]) tell(changed, gone)
  }
}

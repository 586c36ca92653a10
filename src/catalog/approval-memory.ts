import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { DocumentReader, DocumentSet } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import { type Contents, readContents, unreadable } from './approval-contents.js'
import {
  type ApprovalPlace,
  type Approved,
  earlierInstructions,
  firstPlace,
  placeOf,
  type ReportPart,
  recordId,
  toValue,
} from './approval-record.js'
import { type Fresh, markOf, writeApprovals } from './approval-writes.js'
import type { Reviewed } from './reviewed.js'

export interface MemoryOptions {
  readonly documents: DocumentReader | DocumentSet
  readonly config: string
  readonly clock: Clock
  readonly logger: Logger
  readonly flushMs: number
  /** The name that this configuration had before several replicas shared it: what was kept under it counts. */
  readonly formerly?: string | undefined
}

/** What is remembered of each definition, and written where this process may. */
export class ApprovalMemory {
  readonly #options: MemoryOptions
  readonly #writer: DocumentSet | undefined
  #contents: Contents
  /** To write, by key; and keys of earlier versions that those replace. */
  readonly #fresh = new Map<string, Fresh>()
  /** The last definition of each that was noted here: two that see different ones must not overwrite each other for ever. */
  readonly #noted = new Map<string, string>()
  readonly #replaced = new Set<string>()
  /** What only this process knows, since another writes: by key, the part of the source that it belongs to. */
  readonly #provisional = new Map<string, { readonly source: string; readonly part: ReportPart }>()
  #cancelTimer: (() => void) | undefined

  static async open(options: MemoryOptions): Promise<ApprovalMemory> {
    const memory = new ApprovalMemory(options, await readOrHold(options))
    memory.#takeOver()
    return memory
  }

  private constructor(options: MemoryOptions, contents: Contents) {
    this.#options = options
    this.#contents = contents
    this.#writer = 'putMany' in options.documents ? options.documents : undefined
  }

  get isBlind(): boolean {
    return this.#contents.isBlind
  }

  get canWrite(): boolean {
    return this.#writer !== undefined && !this.isBlind
  }

  /** Something here may turn out otherwise when the process that writes has written. */
  get isProvisional(): boolean {
    return this.#provisional.size > 0
  }

  /** What is known of it. Nothing is taken over from earlier versions by looking. */
  peek(item: Reviewed): Approved | undefined {
    const { records, earlier } = this.#contents
    const found = records.get(this.#keyOf(item))
    if (found) return found
    if (item.kind === 'instructions') return this.#earlierWords(item)
    return item.kind === undefined || item.kind === 'tool' ? earlier.get(item.id) : undefined
  }

  /** The same; a record of an earlier version counts for the first configuration that asks for it. */
  known(item: Reviewed): Approved | undefined {
    const found = this.peek(item)
    const { records, earlier } = this.#contents
    if (!found || !this.#writer || records.has(this.#keyOf(item))) return found
    if (item.kind === 'instructions') this.#replaced.add(earlierInstructions(this.#options.config, item.source))
    else {
      earlier.delete(item.id)
      this.#replaced.add(item.id)
    }
    this.keep(item, found)
    return found
  }

  keep(item: Reviewed, record: Approved): void {
    this.#keepAt(placeOf(this.#options.config, item), record, partOf(item))
  }

  /** A change that nobody is asked about, once for each definition that is seen here. */
  note(item: Reviewed, record: Approved): void {
    const key = this.#keyOf(item)
    if (this.#noted.get(key) === record.hash) return
    this.#noted.delete(key)
    this.#noted.set(key, record.hash)
    if (this.#noted.size > mostPerSource) this.#noted.delete(this.#noted.keys().next().value as string)
    this.keep(item, record)
  }

  /** Written before it resolves. */
  async decide(item: Reviewed, record: Approved): Promise<void> {
    const place = placeOf(this.#options.config, item)
    const key = recordId(place)
    if (this.#writer) await this.#writer.put(key, toValue(record, place))
    this.#contents.records.set(key, record)
    this.#fresh.delete(key)
  }

  /**
   * What was approved says the same as the tool: one of the two is held from here on, not both. The first that is seen, which
   * the catalog keeps for as long as lists say the same.
   */
  share(item: Reviewed, record: Approved): void {
    const { apart, records } = this.#contents
    if (apart.delete(record)) records.set(this.#keyOf(item), { ...record, definition: item.definition })
  }

  /** Whether this part of the source, as it is configured now, has reported before. Tools known to earlier versions are a report. */
  hasReported(item: Reviewed, target: string): boolean {
    const { records, sources, earlierIds } = this.#contents
    const part = partOf(item)
    const mark = records.get(recordId(firstPlace(this.#options.config, item.source, part)))
    if (mark) return mark.hash === target
    if (part !== 'tools') return false
    const prefix = item.id.slice(0, item.id.length - item.name.length)
    return sources.has(item.source) || (prefix !== '' && earlierIds.some((id) => id.startsWith(prefix)))
  }

  /** A source that shows something new without end is not remembered without end. */
  isFull(source: string): boolean {
    return (this.#contents.counts.get(source) ?? 0) >= mostPerSource
  }

  /** False where it was known already. */
  noteReport(source: string, part: ReportPart, target: string): boolean {
    const place = firstPlace(this.#options.config, source, part)
    if (this.isBlind || this.#contents.records.get(recordId(place))?.hash === target) return false
    const definition = { name: part, inputSchema: { type: 'object' } }
    const mark = { hash: target, definition, at: this.#options.clock.wall(), by: 'first-seen' }
    this.#keepAt(place, mark, part)
    return true
  }

  /** Told that others wrote; undefined where nobody says so. */
  follow(listener: () => Promise<void>): (() => void) | undefined {
    return this.#writer?.follow?.(listener)
  }

  /** Reads what others wrote meanwhile; true if anything is new. Where that fails and others share it, it rejects. */
  async refresh(): Promise<boolean> {
    const { documents, config, formerly } = this.#options
    const isShared = this.#writer?.follow !== undefined
    const next = await (isShared ? readContents(documents, config, formerly) : readOrHold(this.#options))
    const before = this.#contents
    let changed = next.isBlind !== before.isBlind
    const late = new Set<string>()
    const unwritten = new Map(this.#fresh)
    for (const [key, fresh] of unwritten) {
      if (next.moved.has(key)) continue
      const theirs = next.records.get(key)
      // Ours is still to be written; else somebody was first, and that counts.
      if (theirs && fresh.was === markOf(theirs)) next.records.set(key, before.records.get(key)!)
      else if (theirs) this.#fresh.delete(key)
      else if (this.#isLate(fresh, next, unwritten)) late.add(key)
    }
    for (const [key, record] of next.records) {
      if (markOf(before.records.get(key)) !== markOf(record)) changed = true
      this.#provisional.delete(key)
    }
    for (const [key, record] of before.records) {
      if (next.records.has(key)) continue
      const mine = this.#provisional.get(key)
      // Whoever writes has seen the first report too, without this in it: then it is new here as well.
      if (late.has(key) || (mine && next.records.has(recordId(firstPlace(config, mine.source, mine.part))))) {
        this.#provisional.delete(key)
        this.#fresh.delete(key)
        changed = true
      }
      // What we saw ourselves and nobody wrote stays seen.
      else next.records.set(key, record)
    }
    // Sources are known by what was there when this process began: it may itself have seen their first report since.
    this.#contents = { ...next, sources: before.sources, earlierIds: before.earlierIds }
    return changed
  }

  /** Writes what is waiting. */
  async flush(): Promise<void> {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const waiting = [...this.#fresh]
    if (waiting.length === 0 || !this.#writer) return
    try {
      const { records } = this.#contents
      const written = waiting.map(([id, fresh]) => ({ id, fresh, record: records.get(id)! }))
      await writeApprovals(this.#writer, written)
      for (const { id, fresh, record } of written) {
        const later = this.#fresh.get(id)
        if (later === fresh) this.#fresh.delete(id)
        else if (later) this.#fresh.set(id, { ...later, was: markOf(record) })
      }
      // After the new ones are there: a crash in between loses nothing.
      for (const id of [...this.#replaced]) {
        await this.#writer.delete(id)
        this.#replaced.delete(id)
      }
      if (this.#fresh.size > 0) this.#flushLater()
    } catch (error) {
      // Calls go on without the disk; what could not be written waits for the next time.
      this.#options.logger.log('error', `Could not save approvals: ${messageOf(error)}`, { tools: waiting.length })
      if (this.#writer.follow) this.#flushLater()
    }
  }

  /** What was kept under the former name is kept under this one, for the others too. */
  #takeOver(): void {
    for (const [key, place] of this.#contents.moved) this.#fresh.set(key, { place, was: undefined })
    if (this.#fresh.size > 0 && this.#writer) this.#flushLater()
  }

  /** First seen here, while the report that it was not in was seen and written elsewhere. */
  #isLate({ place, was }: Fresh, next: Contents, unwritten: ReadonlyMap<string, Fresh>): boolean {
    if (was !== undefined || place.kind === 'first') return false
    const part: ReportPart = place.kind === undefined ? 'tools' : 'offer'
    const mark = recordId(firstPlace(place.config, place.source, part))
    const theirs = next.records.get(mark)
    if (!theirs) return false
    return unwritten.has(mark) || markOf(theirs) !== markOf(this.#contents.records.get(mark))
  }

  #flushLater(): void {
    this.#cancelTimer ??= this.#options.clock.after(this.#options.flushMs, () => void this.flush())
  }

  #keepAt(place: ApprovalPlace, record: Approved, part: ReportPart): void {
    const key = recordId(place)
    const { records, counts } = this.#contents
    const known = records.get(key)
    const pending = this.#fresh.get(key)
    if (!known) counts.set(place.source, (counts.get(place.source) ?? 0) + 1)
    records.set(key, record)
    if (!this.#writer) return void this.#provisional.set(key, { source: place.source, part })
    this.#fresh.set(key, { place, was: pending ? pending.was : known && markOf(known) })
    this.#flushLater()
  }

  #earlierWords({ source }: Reviewed): Approved | undefined {
    const found = this.#contents.records.get(earlierInstructions(this.#options.config, source))
    // A tool may have that name.
    return found?.definition.name === 'instructions' ? found : undefined
  }

  #keyOf(item: Reviewed): string {
    return recordId(placeOf(this.#options.config, item))
  }
}

// More than any source has, and less than fills a disk.
const mostPerSource = 25_000

const partOf = ({ kind = 'tool' }: Reviewed): ReportPart => (kind === 'tool' ? 'tools' : 'offer')

const readOrHold = async ({ documents, config, formerly, logger }: MemoryOptions): Promise<Contents> => {
  try {
    return await readContents(documents, config, formerly)
  } catch (error) {
    logger.log('error', `What was approved cannot be read, so every tool is held back: ${messageOf(error)}`)
    return unreadable()
  }
}

import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { DocumentReader, DocumentSet } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import {
  type ApprovalPlace,
  type Approved,
  earlierInstructions,
  firstPlace,
  placeOf,
  type ReportPart,
  readRecord,
  recordId,
  toValue,
} from './approval-record.js'
import type { Reviewed } from './reviewed.js'

export interface MemoryOptions {
  readonly documents: DocumentReader | DocumentSet
  readonly config: string
  readonly clock: Clock
  readonly logger: Logger
  readonly flushMs: number
}

/** What one reading of the store found. */
interface Contents {
  readonly records: Map<string, Approved>
  /** By tool id, from versions that knew no configurations. */
  readonly earlier: Map<string, Approved>
  /** Those of `records` that hold a definition which no tool has. */
  readonly apart: Set<Approved>
  /** Sources of which tools are known, whether or not a mark says that they reported. */
  readonly sources: ReadonlySet<string>
  readonly earlierIds: readonly string[]
  /** How much is kept of each source. */
  readonly counts: Map<string, number>
  /** It is there and cannot be read: then nobody knows what was approved, and nothing passes. */
  readonly isBlind: boolean
}

/** What is remembered of each definition, and written where this process may. */
export class ApprovalMemory {
  readonly #options: MemoryOptions
  readonly #writer: DocumentSet | undefined
  #contents: Contents
  /** To write, by key; and keys of earlier versions that those replace. */
  readonly #fresh = new Map<string, ApprovalPlace>()
  readonly #replaced = new Set<string>()
  /** What only this process knows, since another writes: by key, the part of the source that it belongs to. */
  readonly #provisional = new Map<string, { readonly source: string; readonly part: ReportPart }>()
  #cancelTimer: (() => void) | undefined

  static async open(options: MemoryOptions): Promise<ApprovalMemory> {
    return new ApprovalMemory(options, await read(options))
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

  /** Reads what another process wrote meanwhile; true if anything is new. */
  async refresh(): Promise<boolean> {
    const { config } = this.#options
    const before = this.#contents
    const next = await read(this.#options)
    let changed = next.isBlind !== before.isBlind
    for (const [key, record] of next.records) {
      if (markOf(before.records.get(key)) !== markOf(record)) changed = true
      this.#provisional.delete(key)
    }
    for (const [key, record] of before.records) {
      if (next.records.has(key)) continue
      const mine = this.#provisional.get(key)
      // The process that writes has seen the first report too, without this in it: then it is new here as well.
      if (mine && next.records.has(recordId(firstPlace(config, mine.source, mine.part)))) {
        this.#provisional.delete(key)
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
    this.#fresh.clear()
    if (waiting.length === 0 || !this.#writer) return
    const { records } = this.#contents
    try {
      await this.#writer.putMany(waiting.map(([id, place]) => ({ id, value: toValue(records.get(id)!, place) })))
      // After the new ones are there: a crash in between loses nothing.
      for (const id of [...this.#replaced]) {
        await this.#writer.delete(id)
        this.#replaced.delete(id)
      }
    } catch (error) {
      // Calls go on without the disk; what could not be written waits for the next time.
      for (const [id, place] of waiting) if (!this.#fresh.has(id)) this.#fresh.set(id, place)
      this.#options.logger.log('error', `Could not save approvals: ${messageOf(error)}`, { tools: waiting.length })
    }
  }

  #keepAt(place: ApprovalPlace, record: Approved, part: ReportPart): void {
    const key = recordId(place)
    const { records, counts } = this.#contents
    if (!records.has(key)) counts.set(place.source, (counts.get(place.source) ?? 0) + 1)
    records.set(key, record)
    if (!this.#writer) return void this.#provisional.set(key, { source: place.source, part })
    this.#fresh.set(key, place)
    this.#cancelTimer ??= this.#options.clock.after(this.#options.flushMs, () => void this.flush())
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

const markOf = (record: Approved | undefined): string => `${record?.hash}/${record?.rejected?.hash}`

const read = async ({ documents, config, logger }: MemoryOptions): Promise<Contents> => {
  const records = new Map<string, Approved>()
  const earlier = new Map<string, Approved>()
  const apart = new Set<Approved>()
  const sources = new Set<string>()
  const counts = new Map<string, number>()
  try {
    for (const { id, value } of await documents.all()) {
      const found = readRecord(value)
      if (found?.config === config) {
        records.set(id, found.record)
        apart.add(found.record)
        if (found.source !== undefined) counts.set(found.source, (counts.get(found.source) ?? 0) + 1)
        if (found.source !== undefined && found.isTool) sources.add(found.source)
      } else if (found && found.config === undefined) earlier.set(id, found.record)
    }
    return { records, earlier, apart, sources, earlierIds: [...earlier.keys()], counts, isBlind: false }
  } catch (error) {
    logger.log('error', `What was approved cannot be read, so every tool is held back: ${messageOf(error)}`)
    return { records, earlier, apart, sources, earlierIds: [], counts, isBlind: true }
  }
}

import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Tool, ToolDefinition } from '../model/tool.js'
import { compareDefinitions, type DefinitionChange } from '../schema/definition-change.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { DocumentReader, DocumentSet } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import { type Approved, placeOf, readRecord, recordId, toValue, withNote } from './approval-record.js'

export interface ApprovalsOptions {
  /** What earlier runs approved. Where it can be written, what is decided here survives a restart (A13). */
  readonly documents: DocumentReader | DocumentSet
  /** Which configuration this is, so that those of others do not judge it (U3). Default: one for all. */
  readonly config?: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Tools that need nobody's approval: functions of this process, what models register. Default: none. */
  readonly exempt?: ((tool: Reviewed) => boolean) | undefined
  /** What a major change of a source's tool does: hold it back, or only note it. Default `hold`. */
  readonly onChange?: ((source: string) => 'hold' | 'note') | undefined
  /** How long first approvals may wait to be written together. Default 1,000. */
  readonly flushMs?: number | undefined
}

/** How a tool that is held back stands. */
export interface Standing {
  /** Undefined where nothing was ever approved of it. */
  readonly approved: Approved | undefined
  readonly change: DefinitionChange
  /** `rejected`: somebody said no to this very definition. */
  readonly state: 'pending' | 'rejected'
  /** Names the definition that is decided about. */
  readonly hash: string
}

/** What is reviewed: a tool, or other words of a source under a name of their own. */
export type Reviewed = Pick<Tool, 'source' | 'name' | 'id' | 'definition' | 'own'>

/** Which definitions somebody has looked at. A tool is trusted as it was first seen; a change of weight waits (T17, U3). */
export interface Approvals {
  /** Decisions can be made here; false where another process owns what is remembered, or it cannot be read. */
  readonly canDecide: boolean
  /** For the catalog: false while the tool is not what was approved. */
  review(tool: Reviewed): boolean
  /** The same answer turned around, without remembering or telling anything. */
  isHeld(tool: Reviewed): boolean
  /** What is remembered of it. */
  recordOf(tool: Reviewed): Approved | undefined
  standingOf(tool: Reviewed): Standing
  /** Approves this definition. Resolves when it is on disk. */
  approve(tool: Reviewed, by: string): Promise<void>
  /** It stays held back, and nobody is asked again until it changes once more. Resolves when it is on disk. */
  reject(tool: Reviewed, by: string): Promise<void>
  /** Reads what another process decided meanwhile; true if anything is new. */
  refresh(): Promise<boolean>
  /** Writes what is waiting. */
  close(): Promise<void>
}

export const createApprovals = async (options: ApprovalsOptions): Promise<Approvals> => {
  const {
    documents,
    config = '',
    clock,
    logger,
    exempt = () => false,
    onChange = () => 'hold',
    flushMs = 1000,
  } = options
  const writer = 'putMany' in documents ? documents : undefined
  const idOf = (tool: Reviewed): string => recordId(placeOf(config, tool))
  let memory = await readMemory(documents, config, logger)
  /** Records to write by id, and those of earlier versions that they replace. */
  const fresh = new Map<string, Reviewed>()
  const replaced = new Set<string>()
  let cancelTimer: (() => void) | undefined

  const flush = async (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = undefined
    const waiting = [...fresh]
    fresh.clear()
    if (waiting.length === 0 || !writer) return
    try {
      await writer.putMany(
        waiting.map(([id, tool]) => ({ id, value: toValue(memory.records.get(id)!, placeOf(config, tool)) })),
      )
      // After the new ones are there: a crash in between loses nothing.
      for (const id of [...replaced]) {
        await writer.delete(id)
        replaced.delete(id)
      }
    } catch (error) {
      // Calls go on without the disk; what could not be written waits for the next time.
      for (const [id, tool] of waiting) if (!fresh.has(id)) fresh.set(id, tool)
      logger.log('error', `Could not save approvals: ${messageOf(error)}`, { tools: waiting.length })
    }
  }
  const keep = (tool: Reviewed, record: Approved): void => {
    memory.records.set(idOf(tool), record)
    if (!writer) return
    fresh.set(idOf(tool), tool)
    cancelTimer ??= clock.after(flushMs, () => void flush())
  }
  /** What is known of a tool. A record of an earlier version counts for the first configuration that asks for it. */
  const known = (tool: Reviewed): Approved | undefined => {
    const own = memory.records.get(idOf(tool))
    if (own) return own
    const old = memory.earlier.get(tool.id)
    if (old && writer) {
      memory.earlier.delete(tool.id)
      replaced.add(tool.id)
      keep(tool, old)
    }
    return old
  }
  /**
   * What was approved says the same as the tool: one of the two is held from here on, not both. The first that is seen, which
   * the catalog keeps for as long as lists say the same.
   */
  const share = (tool: Reviewed, record: Approved): void => {
    if (memory.apart.delete(record)) memory.records.set(idOf(tool), { ...record, definition: tool.definition })
  }
  const decided = async (tool: Reviewed, record: Approved): Promise<void> => {
    const id = idOf(tool)
    if (writer) await writer.put(id, toValue(record, placeOf(config, tool)))
    memory.records.set(id, record)
    fresh.delete(id)
  }

  const judge = (tool: Reviewed): Judgement => {
    if (tool.own || exempt(tool)) return { verdict: 'same' }
    if (memory.isBlind) return { verdict: 'held' }
    const record = known(tool)
    if (!record) return { verdict: 'new' }
    if (record.hash === definitionHash(tool.definition)) {
      share(tool, record)
      return { verdict: 'same' }
    }
    const change = compareDefinitions(record.definition, tool.definition)
    const isNoted = change.weight !== 'major' || onChange(tool.source) === 'note'
    return { verdict: isNoted ? 'noted' : 'held', change, record }
  }
  const recordOf = (tool: Reviewed): Approved | undefined =>
    memory.records.get(idOf(tool)) ?? memory.earlier.get(tool.id)
  const standingOf = (tool: Reviewed): Standing => {
    const approved = recordOf(tool)
    const now = definitionHash(tool.definition)
    return {
      approved,
      change: approved ? compareDefinitions(approved.definition, tool.definition) : { weight: 'major', changes: [] },
      state: approved?.rejected?.hash === now ? 'rejected' : 'pending',
      hash: now,
    }
  }

  return {
    get canDecide() {
      return writer !== undefined && !memory.isBlind
    },
    review: (tool) => {
      const { verdict, change, record } = judge(tool)
      if (verdict === 'new') keep(tool, pinned(tool.definition, clock, 'first-seen'))
      if (verdict === 'held' && change) tell(tool, change, standingOf(tool).state, logger)
      if (verdict === 'noted' && change && record) {
        tell(tool, change, 'noted', logger)
        const { rejected: _, ...rest } = record
        const noted = withNote(record, { at: clock.wall(), changes: change.changes })
        keep(tool, { ...rest, hash: definitionHash(tool.definition), definition: tool.definition, noted })
      }
      return verdict !== 'held'
    },
    isHeld: (tool) => judge(tool).verdict === 'held',
    recordOf,
    standingOf,
    approve: (tool, by) => decided(tool, { ...noteOf(known(tool)), ...pinned(tool.definition, clock, by) }),
    reject: async (tool, by) => {
      const record = known(tool)
      const rejected = { hash: definitionHash(tool.definition), at: clock.wall(), by }
      if (record) await decided(tool, { ...record, rejected })
    },
    refresh: async () => {
      const next = await readMemory(documents, config, logger)
      const mark = (record: Approved | undefined) => `${record?.hash}/${record?.rejected?.hash}`
      const changed = [...next.records].some(([id, record]) => mark(memory.records.get(id)) !== mark(record))
      // What we saw ourselves and nobody wrote stays seen.
      for (const [id, record] of memory.records) if (!next.records.has(id)) next.records.set(id, record)
      memory = next
      return changed
    },
    close: flush,
  }
}

interface Judgement {
  readonly verdict: 'same' | 'new' | 'noted' | 'held'
  readonly change?: DefinitionChange | undefined
  readonly record?: Approved | undefined
}

interface Memory {
  readonly records: Map<string, Approved>
  /** By tool id, from versions that knew no configurations. */
  readonly earlier: Map<string, Approved>
  /** Those of `records` that hold a definition which no tool has. */
  readonly apart: Set<Approved>
  /** It is there and cannot be read: then nobody knows what was approved, and nothing passes. */
  readonly isBlind: boolean
}

const readMemory = async (documents: DocumentReader, config: string, logger: Logger): Promise<Memory> => {
  const records = new Map<string, Approved>()
  const earlier = new Map<string, Approved>()
  const apart = new Set<Approved>()
  try {
    for (const { id, value } of await documents.all()) {
      const read = readRecord(value)
      if (read?.config === config) {
        records.set(id, read.record)
        apart.add(read.record)
      } else if (read && read.config === undefined) earlier.set(id, read.record)
    }
    return { records, earlier, apart, isBlind: false }
  } catch (error) {
    logger.log('error', `What was approved cannot be read, so every tool is held back: ${messageOf(error)}`)
    return { records, earlier, apart, isBlind: true }
  }
}

const pinned = (definition: ToolDefinition, clock: Clock, by: string): Approved => ({
  hash: definitionHash(definition),
  definition,
  at: clock.wall(),
  by,
})

const noteOf = (record: Approved | undefined): Pick<Approved, 'noted'> => (record?.noted ? { noted: record.noted } : {})

const tell = (tool: Reviewed, change: DefinitionChange, state: 'noted' | Standing['state'], logger: Logger): void => {
  const what = change.changes.slice(0, 3).map(({ path, kind }) => `${path} (${kind})`)
  const facts = { source: tool.source, tool: tool.id }
  if (state === 'noted')
    return logger.log('info', `'${tool.id}' has changed, which is noted: ${what.join(', ')}`, facts)
  if (state === 'rejected') return logger.log('debug', `'${tool.id}' is held back: this change was rejected.`, facts)
  logger.log(
    'warn',
    `'${tool.id}' has changed since it was approved and is held back: ${what.join(', ')}. Look at it: pegboard approvals`,
    facts,
  )
}

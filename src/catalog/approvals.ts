import { messageOf } from '../errors.js'
import { type CatchUp, createCatchUp } from '../model/catch-up.js'
import type { Clock } from '../model/clock.js'
import type { ToolDefinition } from '../model/tool.js'
import type { Finding } from '../scanner/finding.js'
import { compareDefinitions, type DefinitionChange } from '../schema/definition-change.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { DocumentReader, DocumentSet } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import { ApprovalMemory } from './approval-memory.js'
import { type ApprovalDecision, type Approved, type ReportPart, withNote } from './approval-record.js'
import { isGrave } from './findings.js'
import type { Reviewed } from './reviewed.js'

export type { ReportPart } from './approval-record.js'
export type { Reviewed, ReviewedKind } from './reviewed.js'

export interface ApprovalsOptions {
  /** What earlier runs approved. Where it can be written, what is decided here survives a restart (A13). */
  readonly documents: DocumentReader | DocumentSet
  /** Which configuration this is, so that those of others do not judge it (U3). Default: one for all. */
  readonly config?: string | undefined
  /** What it was called before it was shared: what was approved under that name counts as well. */
  readonly formerly?: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Tools that need nobody's approval: functions of this process, what models register. Default: none. */
  readonly exempt?: ((tool: Reviewed) => boolean) | undefined
  /** What a major change of a source's tool does: hold it back, or only note it. Default `hold`. */
  readonly onChange?: ((source: string) => 'hold' | 'note') | undefined
  /** What a source says that was not in its first report: held back, or only noted (S8). Default `note`. */
  readonly newTools?: ((source: string) => 'hold' | 'note') | undefined
  /** What the source is, apart from its name: another command or address is another server. Default: always the same. */
  readonly targetOf?: ((source: string) => string) | undefined
  /** What the scanner found in it; undefined while it is being read. Default: nothing in anything. */
  readonly findingsOf?: ((item: Reviewed) => readonly Finding[] | undefined) | undefined
  /** What a grave finding does: hold back what it is in, also in a first report, or nothing but show it. Default `hold`. */
  readonly onFinding?: ((source: string) => 'hold' | 'note') | undefined
  /** How long first approvals may wait to be written together. Default 1,000. */
  readonly flushMs?: number | undefined
}

/** Why something is held back. */
export type HeldFor = 'change' | 'newcomer' | 'finding' | 'unreadable'

/** How a tool that is held back stands. */
export interface Standing {
  readonly why: HeldFor
  /** Undefined where nothing was ever approved of it. */
  readonly approved: Approved | undefined
  readonly change: DefinitionChange
  /** `rejected`: somebody said no to this very definition. */
  readonly state: 'pending' | 'rejected'
  readonly rejected: Approved['rejected']
  /** Names the definition that is decided about. */
  readonly hash: string
  /** The gravest first; empty while it is being read. */
  readonly findings: readonly Finding[]
}

/**
 * Which definitions somebody has looked at. A source is trusted as it was first seen; what is new or changes after that waits
 * for a yes (T17, U3, S8).
 */
export interface Approvals {
  /** Decisions can be made here; false where another process owns what is remembered, or it cannot be read. */
  readonly canDecide: boolean
  /** Changes when `review` may answer otherwise. */
  readonly version: number
  /** What was let through here may turn out to be held back by the process that owns what is remembered. */
  readonly isProvisional: boolean
  /** For the catalog: false while the tool is not what was approved. */
  review(tool: Reviewed): boolean
  /** Whether somebody has to decide about it: what is still being read by the scanner is not asked about yet. */
  isHeld(tool: Reviewed): boolean
  /** What is remembered of it. */
  recordOf(tool: Reviewed): Approved | undefined
  standingOf(tool: Reviewed): Standing
  /** This part of the source has reported: what it says from here on is new. */
  reported(source: string, part: ReportPart): void
  /** More is known of what is held back. */
  touch(): void
  /** Approves this definition. Resolves when it is on disk. */
  approve(tool: Reviewed, by: string): Promise<void>
  /** It stays held back, and nobody is asked again until it changes once more. Resolves when it is on disk. */
  reject(tool: Reviewed, by: string): Promise<void>
  /** Who said of this very definition that it changes nothing, and when. */
  readonlyBy(tool: Reviewed): ApprovalDecision | undefined
  /** Says so, or takes it back. Resolves when it is on disk. */
  setReadonly(tool: Reviewed, isReadonly: boolean, by: string): Promise<void>
  /** Reads what another process decided meanwhile; true if anything is new. */
  refresh(): Promise<boolean>
  /** Told when others have decided something, or seen it first. Undefined where nobody says so. Returns how to stop. */
  follow(listener: () => void): (() => void) | undefined
  /** Writes what is waiting. */
  close(): Promise<void>
}

export const createApprovals = async (options: ApprovalsOptions): Promise<Approvals> => {
  const { documents, config = '', clock, logger, flushMs = 1000 } = options
  const { exempt = () => false, onChange = () => 'hold', newTools = () => 'note' } = options
  const { targetOf = () => '', findingsOf = () => [], onFinding = () => 'hold' } = options
  const memory = await ApprovalMemory.open({ documents, config, clock, logger, flushMs, formerly: options.formerly })
  const told = createTold(logger)
  let version = 0
  let others: CatchUp | undefined

  const judge = (item: Reviewed, record: Approved | undefined): Judgement => {
    if (item.own || exempt(item)) return same
    if (memory.isBlind) return { verdict: 'held', why: 'unreadable' }
    const approved = record?.isNever ? undefined : record
    if (approved?.hash === definitionHash(item.definition)) return { verdict: 'same', record: approved }
    const judged = approved ? ofChange(item, approved) : ofNewcomer(item)
    const findings = findingsOf(item)
    const isFeared = findings !== undefined && isGrave(findings) && onFinding(item.source) === 'hold'
    if (isFeared && judged.why !== 'change') return { ...judged, verdict: 'held', why: 'finding' }
    return findings || judged.verdict === 'held' ? judged : { ...judged, verdict: 'unread' }
  }
  const ofChange = (item: Reviewed, record: Approved): Judgement => {
    const change = compareDefinitions(record.definition, item.definition)
    const isNoted = change.weight !== 'major' || onChange(item.source) === 'note'
    return isNoted ? { verdict: 'noted', change, record } : { verdict: 'held', why: 'change', change, record }
  }
  const ofNewcomer = (item: Reviewed): Judgement => {
    const isLate = newTools(item.source) === 'hold' && memory.hasReported(item, targetOf(item.source))
    const waits = isLate || memory.isFull(item.source)
    return waits ? { verdict: 'held', why: 'newcomer' } : { verdict: 'new' }
  }
  const standingOf = (item: Reviewed): Standing => {
    const record = memory.peek(item)
    const approved = record?.isNever ? undefined : record
    const now = definitionHash(item.definition)
    const state = record?.rejected?.hash === now ? 'rejected' : 'pending'
    return {
      why: judge(item, record).why ?? 'change',
      approved,
      change: approved ? compareDefinitions(approved.definition, item.definition) : { weight: 'major', changes: [] },
      state,
      rejected: state === 'rejected' ? record?.rejected : undefined,
      hash: now,
      findings: findingsOf(item) ?? [],
    }
  }
  const decide = async (item: Reviewed, record: Approved): Promise<void> => {
    await memory.decide(item, record)
    version += 1
    // A reading that began before may still come back without it, and others may have decided meanwhile.
    void others?.run()
  }
  const refresh = async (): Promise<boolean> => {
    const changed = await memory.refresh()
    if (changed) version += 1
    return changed
  }

  return {
    get canDecide() {
      return memory.canWrite
    },
    get version() {
      return version
    },
    get isProvisional() {
      return memory.isProvisional
    },
    review: (item) => {
      if (item.own || exempt(item)) return true
      const { verdict, change, record } = judge(item, memory.known(item))
      if (verdict === 'same' && record) memory.share(item, record)
      // Files come and go: where nobody is asked about new ones, they are not written down either.
      if (verdict === 'new' && (item.kind !== 'resource' || newTools(item.source) === 'hold'))
        memory.keep(item, pinned(item.definition, clock, 'first-seen'))
      if (verdict === 'held') told(item, standingOf(item))
      if (verdict === 'noted' && change && record) {
        told(item, 'noted', change)
        const { rejected: _, ...rest } = record
        const noted = withNote(record, { at: clock.wall(), changes: change.changes })
        memory.note(item, { ...rest, hash: definitionHash(item.definition), definition: item.definition, noted })
      }
      return verdict !== 'held' && verdict !== 'unread'
    },
    isHeld: (item) => judge(item, memory.peek(item)).verdict === 'held',
    recordOf: (item) => {
      const record = memory.peek(item)
      return record?.isNever ? undefined : record
    },
    standingOf,
    reported: (source, part) => {
      if (memory.noteReport(source, part, targetOf(source))) version += 1
    },
    touch: () => {
      version += 1
    },
    approve: (item, by) => decide(item, { ...noteOf(memory.known(item)), ...pinned(item.definition, clock, by) }),
    reject: async (item, by) => {
      if (memory.isBlind) return
      const rejected = { hash: definitionHash(item.definition), at: clock.wall(), by }
      await decide(item, { ...(memory.known(item) ?? never(item.name, clock)), rejected })
    },
    readonlyBy: (item) => {
      const said = memory.peek(item)?.readonly
      return said?.hash === definitionHash(item.definition) ? said : undefined
    },
    setReadonly: async (item, isReadonly, by) => {
      const record = memory.known(item) ?? pinned(item.definition, clock, 'first-seen')
      const said = { hash: definitionHash(item.definition), at: clock.wall(), by }
      await decide(item, { ...record, readonly: isReadonly ? said : undefined })
    },
    refresh,
    follow: (listener) => {
      const following = createCatchUp(async () => void ((await refresh()) && listener()), {
        clock,
        onFailure: (error) =>
          logger.log('warn', `What others approved cannot be read; what is known stays in force: ${messageOf(error)}`),
      })
      const leave = memory.follow(following.run)
      if (!leave) return undefined
      others = following
      // What was written since we first read.
      void following.run()
      return () => {
        leave()
        following.close()
      }
    },
    close: () => memory.flush(),
  }
}

interface Judgement {
  /** `unread`: nobody knows yet what the scanner makes of it. */
  readonly verdict: 'same' | 'new' | 'noted' | 'held' | 'unread'
  readonly why?: HeldFor | undefined
  readonly change?: DefinitionChange | undefined
  readonly record?: Approved | undefined
}

const same: Judgement = { verdict: 'same' }

const pinned = (definition: ToolDefinition, clock: Clock, by: string): Approved => ({
  hash: definitionHash(definition),
  definition,
  at: clock.wall(),
  by,
})

/** The place for a no to something that nobody ever said yes to. */
const never = (name: string, clock: Clock): Approved => ({
  hash: '',
  definition: { name, inputSchema: { type: 'object' } },
  at: clock.wall(),
  by: '',
  isNever: true,
})

const noteOf = (record: Approved | undefined): Pick<Approved, 'noted'> => (record?.noted ? { noted: record.noted } : {})

const mostTold = 10_000

type Tell = {
  (item: Reviewed, standing: Standing): void
  (item: Reviewed, noted: 'noted', change: DefinitionChange): void
}

/** Tells of each thing once, however often it is looked at. */
const createTold = (logger: Logger): Tell => {
  const told = new Map<string, string>()
  return (item: Reviewed, how: Standing | 'noted', noted?: DefinitionChange): void => {
    const state = how === 'noted' ? how : `${how.why}/${how.state}`
    const mark = `${definitionHash(item.definition)}/${state}`
    if (told.get(item.id) === mark) return
    told.set(item.id, mark)
    if (told.size > mostTold) told.delete(told.keys().next().value as string)
    const facts = { source: item.source, tool: item.id }
    if (how === 'noted')
      return logger.log('info', `'${item.id}' has changed, which is noted: ${placesOf(noted)}`, facts)
    if (how.state === 'rejected')
      return logger.log('debug', `'${item.id}' is held back: this change was rejected.`, facts)
    logger.log('warn', lineOf(item.id, how), facts)
  }
}

const lineOf = (id: string, { why, findings, change }: Standing): string => {
  if (why === 'newcomer')
    return `'${id}' was not in the first report of its source and is held back. Look at it: pegboard approvals`
  if (why === 'finding')
    return `'${id}' looks dangerous (${findings[0]?.rule ?? 'unknown'}) and is held back. Look at it: pegboard approvals`
  if (why === 'unreadable')
    return `'${id}' cannot be compared with what was approved and is held back. Look at it: pegboard approvals`
  return `'${id}' has changed since it was approved and is held back: ${placesOf(change)}. Look at it: pegboard approvals`
}

const placesOf = (change: DefinitionChange | undefined): string =>
  (change?.changes ?? [])
    .slice(0, 3)
    .map(({ path, kind }) => `${path} (${kind})`)
    .join(', ')

import { hash } from 'node:crypto'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { ToolDefinition } from '../model/tool.js'
import type { DefinitionDifference } from '../schema/change-kinds.js'
import { type Reviewed, type ReviewedKind, wellFormed } from './reviewed.js'

/** A decision by somebody about one definition. */
export interface ApprovalDecision {
  /** Of the definition that was decided about. */
  readonly hash: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** A name, or `first-seen`. */
  readonly by: string
}

/** A change that nobody was asked about. */
export interface NotedChange {
  readonly at: number
  readonly changes: readonly DefinitionDifference[]
}

/** What is remembered of one tool of one source of one configuration. */
export interface Approved extends ApprovalDecision {
  readonly definition: ToolDefinition
  /** What somebody said no to; it is not asked about again until it changes once more. */
  readonly rejected?: ApprovalDecision | undefined
  /** The latest first; only as many as somebody would read. */
  readonly noted?: readonly NotedChange[] | undefined
  /** Who said of which definition that it is read-only: of another one it says nothing. */
  readonly readonly?: ApprovalDecision | undefined
  /** Nobody ever said yes: the record is there for the no. */
  readonly isNever?: boolean | undefined
}

/** The parts in which a source reports: its tools, and what it says besides. */
export type ReportPart = 'tools' | 'offer'

/** Where a record belongs: two projects may each have a source of one name (U3). */
export interface ApprovalPlace {
  /** The configuration, by its file. */
  readonly config: string
  readonly source: string
  /** The tool's name, or that of whatever `kind` says. */
  readonly tool: string
  /** `first`: the mark that a source has reported. Undefined for tools. */
  readonly kind?: Exclude<ReviewedKind, 'tool'> | 'first' | undefined
}

const mostNoted = 10
const mostChanges = 50

/**
 * The key of the record in the store: derived from its place alone, so that two processes write to the same key. A tool may
 * have any name, so what is no tool has a key of one part more.
 */
export const recordId = ({ config, source, kind, tool }: ApprovalPlace): string =>
  [
    hash('sha256', config).slice(0, 16),
    encodeURIComponent(source),
    ...(kind === undefined ? [] : [kind]),
    encodeURIComponent(wellFormed(tool)),
  ].join('/')

export const placeOf = (config: string, { source, name, kind = 'tool' }: Reviewed): ApprovalPlace => ({
  config,
  source,
  tool: name,
  kind: kind === 'tool' ? undefined : kind,
})

/** The mark that this part of a source has reported. */
export const firstPlace = (config: string, source: string, part: ReportPart): ApprovalPlace => ({
  config,
  source,
  tool: part,
  kind: 'first',
})

/** Where earlier versions kept what a server says to every model. */
export const earlierInstructions = (config: string, source: string): string =>
  recordId({ config, source, tool: '#instructions' })

export const withNote = (record: Approved, note: NotedChange): readonly NotedChange[] =>
  [{ at: note.at, changes: note.changes.slice(0, mostChanges) }, ...(record.noted ?? [])].slice(0, mostNoted)

export const toValue = (record: Approved, place: ApprovalPlace): JsonObject =>
  ({ ...record, ...place }) as unknown as JsonObject

/** Where a record of another configuration would be in this one. */
export const placeIn = (value: JsonValue, config: string): ApprovalPlace | undefined => {
  if (!isRecord(value) || typeof value.source !== 'string' || typeof value.tool !== 'string') return undefined
  const { source, tool, kind } = value
  return { config, source, tool, kind: typeof kind === 'string' ? (kind as ApprovalPlace['kind']) : undefined }
}

/** A stored record; `config` is undefined for those of earlier versions, which knew tools by their id alone. */
export interface ReadRecord {
  readonly record: Approved
  readonly config: string | undefined
  /** Undefined for those of earlier versions. */
  readonly source: string | undefined
  readonly isTool: boolean
}

/** What cannot be read is as if never seen: the tool is trusted anew, which is what a lost file would do. */
export const readRecord = (value: JsonValue): ReadRecord | undefined => {
  if (!isRecord(value) || !isDecision(value) || !isRecord(value.definition)) return undefined
  const {
    hash: pinned,
    at,
    by,
    definition,
    rejected,
    noted,
    isNever,
    readonly: readOnly,
    config,
    source,
    kind,
  } = value as unknown as Approved & {
    readonly config?: unknown
    readonly source?: unknown
    readonly kind?: unknown
  }
  const record: Approved = {
    hash: pinned,
    at,
    by,
    definition,
    rejected: isDecision(rejected) ? rejected : undefined,
    noted: Array.isArray(noted) ? noted.filter(isNote) : undefined,
    isNever: isNever === true ? true : undefined,
    readonly: isDecision(readOnly) ? readOnly : undefined,
  }
  return {
    record,
    config: typeof config === 'string' ? config : undefined,
    source: typeof source === 'string' ? source : undefined,
    isTool: kind === undefined,
  }
}

const isDecision = (value: unknown): value is ApprovalDecision =>
  isRecord(value) && typeof value.hash === 'string' && typeof value.at === 'number' && typeof value.by === 'string'

const isNote = (value: unknown): value is NotedChange =>
  isRecord(value) && typeof value.at === 'number' && Array.isArray(value.changes)

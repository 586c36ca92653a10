import type { Gateway } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import type { Change } from '../../schema/change-kinds.js'
import type { SignIns } from '../../sources/oauth/sign-ins.js'
import type { LogLine } from './log-ring.js'

/** What administration needs of a running gateway beside the gateway itself. The command line builds it. */
export interface AdminBoard {
  readonly gateway: Gateway
  readonly version: string
  readonly sources: SourceDesk
  readonly keys: KeyDesk
  readonly parked: ParkedDesk
  readonly signIns: SignIns
  readonly approvals: ApprovalDesk
  readonly profiles: ProfileDesk
  readonly settings: SettingsDesk
  readonly imports: ImportDesk
  profileNames(): readonly string[]
  /** What a client of this profile is shown; undefined when there is no such profile. */
  profile(name: string): ProfileReport | undefined
  /** How the links to voice devices are, without any part of their tokens. */
  xiaozhi(): readonly object[]
  /** The newest lines, oldest first; of one source where it is named. */
  logs(source?: string): readonly LogLine[]
}

/** A definition that is held back: what it was, what it is, and what that means. */
export interface ApprovalRow {
  readonly id: string
  readonly source: string
  /** `rejected`: somebody said no to this very definition. */
  readonly state: 'pending' | 'rejected'
  /** Names the definition that is decided about. */
  readonly hash: string
  /** Undefined where nothing was ever approved of it. Keys are sorted, so that order is no difference. */
  readonly before: JsonObject | undefined
  readonly after: JsonObject
  readonly changes: readonly Change[]
  readonly approvedAt: number | undefined
  readonly approvedBy: string | undefined
  readonly rejectedAt: number | undefined
  readonly rejectedBy: string | undefined
}

/** A change that nobody was asked about. */
export interface NotedRow {
  readonly id: string
  readonly source: string
  readonly at: number
  readonly changes: readonly Change[]
}

export interface Decisions {
  readonly ids: readonly string[]
  /** What was shown, by id: a decision about something else is refused. */
  readonly hashes?: Readonly<Record<string, string>> | undefined
}

/** Who decides about definitions that changed. */
export interface ApprovalDesk {
  /** False where another process keeps what is remembered, or it cannot be read. */
  readonly canDecide: boolean
  /** The lock file in force, which speaks before any decision here. */
  lockFile(): string | undefined
  list(): readonly ApprovalRow[]
  noted(): readonly NotedRow[]
  /** Answers with those that are usable now. */
  approve(asked: Decisions, by: string): Promise<readonly string[]>
  reject(asked: Decisions, by: string): Promise<readonly string[]>
}

/** A source as the configuration has it, whether it runs or not. Secrets are masked. */
export interface ConfiguredSource {
  readonly name: string
  readonly type: string
  readonly enabled: boolean
  readonly namespace: string
  readonly config: JsonObject
  /** Why it is not mounted although it should be. */
  readonly problem: string | undefined
}

export interface TestReport {
  readonly ok: boolean
  readonly reason: string | undefined
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly tookMs: number
}

/** Edits of the configuration, applied to the running gateway when they resolve. */
export interface SourceDesk {
  list(): readonly ConfiguredSource[]
  /** Adds or replaces. A masked value keeps what stands there. */
  save(name: string, config: JsonObject): Promise<void>
  remove(name: string): Promise<void>
  setEnabled(name: string, enabled: boolean): Promise<void>
  /** Starts it apart from the board, asks for its tools and ends it. */
  test(name: string, config: JsonObject, signal: AbortSignal): Promise<TestReport>
}

/** A call that waits until its caller answers a question of the tool. */
export interface ParkedRow {
  readonly id: string
  readonly caller: string
  /** The tool, or whatever else was asked for. */
  readonly name: string
  readonly method: string
  /** The kinds of questions that are open: `elicitation/create` and the like. */
  readonly asks: readonly string[]
  /** When it began, in milliseconds since the epoch. */
  readonly since: number
  /** When it is given up; undefined while the caller is here and the source works on the answer. */
  readonly expiresAt: number | undefined
  /** The questions as they were put, only where argument values are kept (`telemetry.audit` is `values`). */
  readonly questions?: readonly string[] | undefined
}

export interface ParkedDesk {
  list(): readonly ParkedRow[]
  /** False when it no longer waits. */
  cancel(id: string): boolean
  onChange(listener: () => void): () => void
}

export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly permission: string
  readonly hint: string
  readonly createdAt: number
  readonly expiresAt?: number | undefined
  readonly revokedAt?: number | undefined
  readonly owner?: string | undefined
  readonly profile?: string | undefined
  readonly useCount: number
  readonly lastUsed: number | null
}

export interface KeyRequest {
  readonly name: string
  readonly permission?: 'read' | 'write' | 'admin' | undefined
  readonly expiresInSeconds?: number | undefined
  readonly owner?: string | undefined
  readonly profile?: string | undefined
}

export interface KeyDesk {
  list(): Promise<readonly KeyRow[]>
  create(request: KeyRequest): Promise<{ readonly key: string; readonly record: KeyRow }>
  revoke(id: string): Promise<boolean>
}

/** One profile through the eyes of a client. */
export interface ProfileReport {
  readonly name: string
  readonly description: string | undefined
  readonly exposure: string
  /** How many tools can be called, listed or not. */
  readonly callable: number
  readonly listed: number
  /** The list as the client gets it; made when asked, since it may be long. */
  shown(): readonly JsonObject[]
  readonly shownBytes: number
  /** What the list would take if every callable tool were in it. */
  readonly flatBytes: number
  readonly settings: JsonObject
}

/** Profiles as an operator changes them, in the file and at once in what runs. */
export interface ProfileDesk {
  /** As the file has it, without defaults; empty where it has none. */
  written(name: string): JsonObject
  /** What a client would be shown if the profile were like this. Throws what a save would say. */
  preview(name: string, settings: JsonObject): ProfileReport
  save(name: string, settings: JsonObject): Promise<void>
  remove(name: string): Promise<void>
}

/** One setting that can be changed here. */
export interface SettingField {
  /** Its place in the file, as in `logging.level`. */
  readonly path: string
  readonly kind: 'choice' | 'number' | 'switch' | 'text' | 'list'
  readonly choices?: readonly string[] | undefined
  /** What is in force, or will be after a restart. */
  readonly value: unknown
  /** Counts at once; else after a restart. */
  readonly live: boolean
  /** Changed since the start, and not in force before the next one. */
  readonly waits: boolean
  /** The flag or variable that speaks before the file, so that a change here would change nothing. */
  readonly fixedBy: string | undefined
}

export interface SettingsReport {
  /** Undefined when there is none yet; then the first change makes it. */
  readonly file: string | undefined
  readonly config: unknown
  readonly fields: readonly SettingField[]
}

export interface SettingsDesk {
  report(): SettingsReport
  /** By path; null takes a setting out of the file, so that its default counts. */
  save(changes: Readonly<Record<string, unknown>>): Promise<void>
}

/** A server of another program's configuration, and what would become of it here. */
export interface ImportRow {
  readonly name: string
  readonly theirName: string
  readonly from: readonly string[]
  readonly outcome: 'add' | 'rename' | 'present' | 'ours' | 'unusable'
  /** As it would be written, secrets masked. */
  readonly entry: unknown
  readonly notes: readonly string[]
  readonly cautions: readonly string[]
}

export interface ImportReport {
  /** The file that would be changed. */
  readonly file: string
  readonly found: readonly {
    readonly client: string
    readonly path: string
    readonly servers: number
    readonly problem: string | undefined
  }[]
  readonly sources: readonly ImportRow[]
  readonly diff: readonly { readonly sign: ' ' | '+' | '-'; readonly text: string }[]
}

/** The servers that other programs on this machine have. Their files are only read. */
export interface ImportDesk {
  look(): Promise<ImportReport>
  /** Adds these to our file, switched off. Answers with those it added. */
  add(names: readonly string[]): Promise<readonly string[]>
}

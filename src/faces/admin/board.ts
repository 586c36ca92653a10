import type { Approvals } from '../../catalog/approvals.js'
import type { Gateway } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import type { LogLine } from './log-ring.js'

/** What administration needs of a running gateway beside the gateway itself. The command line builds it. */
export interface AdminBoard {
  readonly gateway: Gateway
  readonly version: string
  readonly sources: SourceDesk
  readonly keys: KeyDesk
  /** Undefined where nothing is kept, and so nothing can be approved. */
  readonly approvals: Approvals | undefined
  profileNames(): readonly string[]
  /** What a client of this profile is shown; undefined when there is no such profile. */
  profile(name: string): ProfileReport | undefined
  /** How the links to voice devices are, without any part of their tokens. */
  xiaozhi(): readonly object[]
  settings(): SettingsReport
  /** The newest lines, oldest first; of one source where it is named. */
  logs(source?: string): readonly LogLine[]
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

export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly permission: string
  readonly hint: string
  readonly createdAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  readonly owner?: string
  readonly profile?: string
  readonly useCount: number
  readonly lastUsed: number | null
}

export interface KeyRequest {
  readonly name: string
  readonly permission?: 'read' | 'write' | 'admin'
  readonly expiresInSeconds?: number
  readonly owner?: string
  readonly profile?: string
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

export interface SettingsReport {
  /** Undefined when there is none yet; then the first change makes it. */
  readonly file: string | undefined
  readonly config: unknown
}

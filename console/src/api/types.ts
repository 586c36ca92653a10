import type { ParkedCall } from './operator-types.js'

/** What the admin API answers, as far as the console reads it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface Me {
  readonly id: string
  readonly rights: readonly string[]
  readonly version: string
}

export interface SourceRow {
  readonly name: string
  readonly kind: string
  readonly namespace: string
  readonly enabled: boolean
  readonly configured: boolean
  readonly state: string
  readonly reason?: string
  readonly nextRetryAt?: number
  readonly peer?: { readonly era: string; readonly version: string; readonly name?: string }
  readonly tools: number
  readonly held: number
  readonly circuits: readonly OpenCircuit[]
}

/** What failed repeatedly and is left alone; without a tool it is the whole source. */
export interface OpenCircuit {
  readonly tool?: string
  readonly reason: string
  readonly retryAt: number
}

/** How a source is signed in at its server. */
export interface SignInRow {
  readonly source: string
  readonly type: string
  readonly state: 'signed-in' | 'needs-sign-in' | 'waiting' | 'not-signed-in'
}

export interface LogLine {
  readonly at: number
  readonly level: string
  readonly service?: string
  readonly source?: string
  readonly message: string
}

export interface SourceDetail {
  readonly source: SourceRow
  readonly config?: JsonObject
  readonly logs: readonly LogLine[]
}

export interface TestReport {
  readonly ok: boolean
  readonly reason?: string
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly tookMs: number
}

export interface LoggedCall {
  readonly n: number
  readonly tool: string
  readonly source?: string
  readonly caller: string
  readonly ok: boolean
  readonly code?: string
  readonly message?: string
  readonly latencyMs: number
  readonly attempts: number
  readonly cached: boolean
  readonly at: number
  /** Where the time went; only of calls that were made while a console was open. */
  readonly steps?: readonly { readonly name: string; readonly ms: number }[]
}

export interface Minute {
  readonly at: number
  readonly calls: number
  readonly errors: number
  readonly totalMs: number
  readonly maxMs: number
}

export interface ProfileCost {
  readonly name: string
  readonly description?: string
  readonly exposure: string
  readonly callable: number
  readonly listed: number
  readonly tokens: number
  readonly flatTokens: number
}

export interface ProfileDetail extends ProfileCost {
  readonly settings: JsonObject
  readonly shown: readonly { readonly tool: JsonObject; readonly tokens: number }[]
  /** As the file has it; absent in a preview. */
  readonly written?: JsonObject
}

export interface Overview {
  readonly version: string
  readonly startedAt: number
  readonly now: number
  readonly sources: readonly SourceRow[]
  readonly tools: number
  readonly held: number
  readonly parked: readonly ParkedCall[]
  readonly stats: {
    readonly calls: number
    readonly errors: number
    readonly errorsByCode: Readonly<Record<string, number>>
    readonly totalLatencyMs: number
  }
  readonly minutes: readonly Minute[]
  readonly profile?: ProfileCost
  readonly failures: readonly LoggedCall[]
}

export interface ToolRow {
  readonly id: string
  readonly source: string
  readonly title?: string
  readonly summary: string
  readonly tokens: number
  readonly uses: number
  readonly temperature: 'hot' | 'warm' | 'cold'
  readonly held: boolean
}

export interface ToolDetail extends ToolRow {
  readonly namespace: string
  readonly tags: readonly string[]
  readonly category?: string
  readonly timeoutMs?: number
  readonly lastUsed: number | null
  readonly definition: JsonObject
  readonly advertised: JsonObject
  readonly history: readonly LoggedCall[]
}

export interface CallAnswer {
  readonly ok: boolean
  readonly result?: {
    readonly content: readonly JsonObject[]
    readonly structuredContent?: Json
    readonly isError?: boolean
  }
  readonly error?: { readonly code: string; readonly message: string }
  readonly latencyMs: number
  readonly attempts: number
}

export interface SearchAnswer {
  readonly results: readonly {
    readonly id: string
    readonly source: string
    readonly title?: string
    readonly description: string
    readonly score: number
    readonly matchReason: string
    readonly tokens: number
  }[]
  readonly method: string
  readonly notice?: string
  readonly tookMs: number
}

export interface PendingApproval {
  readonly id: string
  readonly source: string
  readonly state: 'pending' | 'rejected'
  /** Names the definition that is shown. */
  readonly hash: string
  readonly before?: JsonObject
  readonly approvedAt?: number
  readonly approvedBy?: string
  readonly rejectedAt?: number
  readonly rejectedBy?: string
  readonly after: JsonObject
  readonly changes: readonly { readonly path: string; readonly kind: string }[]
}

export interface ApprovalsAnswer {
  readonly pending: readonly PendingApproval[]
  /** The lock file that decides instead. */
  readonly lockFile?: string
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

export interface Endpoint {
  readonly name: string
  readonly host: string
  readonly profile: string
  readonly state: string
  readonly reason?: string
  readonly alarm?: string
  readonly nextTryAt?: number
  readonly connectedAt?: number
  readonly tokenExpiresAt?: number
  readonly peer?: string
  readonly pingMs?: number
  readonly connects: number
  readonly calls: number
  readonly running: number
  readonly maxResultBytes: number
  readonly maxListBytes: number
  readonly list?: { readonly tools: number; readonly bytes: number; readonly pages: number; readonly tokens: number }
}

import type { ErrorCode } from '../errors.js'
import type { Call, RequestKind, RunId, ScriptMark } from '../model/call.js'
import type { Outcome } from '../model/outcome.js'
import type { SecretCounts } from '../secrets/mask.js'

/** What is remembered of a call: sizes and names, never argument values. */
export interface CallRecord {
  readonly kind: RequestKind
  /** The canonical id of the tool, prompt, resource or method, or the name as asked when nothing was found. */
  readonly tool: string
  readonly source: string | undefined
  readonly caller: string
  readonly ok: boolean
  readonly code: ErrorCode | undefined
  readonly latencyMs: number
  readonly attempts: number
  readonly cached: boolean
  /** What the call cost, where the tool's answer says so: `meta.cost` of document 000's shape, or `_meta.cost`. */
  readonly cost?: number | undefined
  /** Milliseconds since the epoch at which the call ended. */
  readonly at: number
  /** Waiting for a place, between two tries, or for its caller's answer; only while somebody keeps times. */
  readonly waitingMs?: number | undefined
  /** At the source; only while somebody keeps times. */
  readonly sourceMs?: number | undefined
  /** Where the time went, in the order of the call; only while somebody watches. */
  readonly steps?: readonly StepTime[] | undefined
  /** Credentials that were found, where somebody looked; undefined where there were none. */
  readonly secrets?: CallSecrets | undefined
  /** The rule that denied it or asked about it, by id; several that asked with commas between. */
  readonly rule?: string | undefined
  /** The script that made it, or that it was. */
  readonly run?: RunId | undefined
  /** Of a call that a script made: which of them, from 1 on. */
  readonly step?: number | undefined
  /** Of a call that was a script: what tells its text from others, never the text. */
  readonly script?: CallScript | undefined
  /** The tool that was called, where a plugin sent the call to this one. */
  readonly routedFrom?: string | undefined
  /** The yes of a person that it has spent, by the id of the request. */
  readonly grant?: string | undefined
  /** Another replica let it in and has recorded it too: this is what it was at the holder of its source. */
  readonly handedOver?: true | undefined
}

/** SHA-256 of a script's text as it came, and how long that is. */
export type CallScript = Omit<ScriptMark, 'run'>

/** What was found in a call, by direction; kinds and counts, never values. */
export interface CallSecrets {
  readonly arguments?: SecretCounts | undefined
  readonly results?: SecretCounts | undefined
}

/** What one step took by itself; `answer` is the way back from the source. */
export interface StepTime {
  readonly name: string
  readonly ms: number
}

/** Also given the call and its outcome, for what is made only where somebody asks: sizes, shapes of arguments. */
export type CallListener = (record: CallRecord, call: Call, outcome: Outcome) => void

export interface CallStats {
  readonly calls: number
  readonly errors: number
  readonly errorsByCode: Readonly<Partial<Record<ErrorCode, number>>>
  readonly totalLatencyMs: number
  /** The sum of what answers said they cost. */
  readonly totalCost: number
}

/** What is going on at one moment. */
export interface CallLoad {
  /** By source; one with nothing to do is not there. */
  readonly sources: readonly SourceLoad[]
  /** The most there may be: running at once, of one tool, and waiting. */
  readonly limits: { readonly running: number; readonly runningPerTool: number; readonly waiting: number }
}

export interface SourceLoad {
  readonly source: string
  readonly running: number
  /** For a place of their tool, or of the gateway. */
  readonly waiting: number
}

/** Counts what it hears. One per gateway; exporters read it. */
export const createCallStats = (): { readonly listener: CallListener; read(): CallStats } => {
  let calls = 0
  let errors = 0
  let totalLatencyMs = 0
  let totalCost = 0
  const errorsByCode: Partial<Record<ErrorCode, number>> = {}
  return {
    listener: (record) => {
      calls += 1
      totalLatencyMs += record.latencyMs
      totalCost += record.cost ?? 0
      if (record.ok || !record.code) return
      errors += 1
      errorsByCode[record.code] = (errorsByCode[record.code] ?? 0) + 1
    },
    read: () => ({ calls, errors, errorsByCode: { ...errorsByCode }, totalLatencyMs, totalCost }),
  }
}

/** A reference count of observers: what is expensive to measure is measured only while there is one. */
export interface Watchers {
  readonly isWatched: () => boolean
  /** Adds an observer; the returned function removes it and may be called more than once. */
  readonly watch: () => () => void
}

export const createWatchers = (): Watchers => {
  const present = new Set<object>()
  return {
    isWatched: () => present.size > 0,
    watch: () => {
      const one = {}
      present.add(one)
      return () => void present.delete(one)
    },
  }
}

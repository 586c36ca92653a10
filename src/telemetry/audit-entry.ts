import { isRecord } from '../model/json.js'
import type { CallScript, CallSecrets } from './calls.js'
import type { Actor, DeedKind } from './deed.js'

/** What a line tells of: the three kinds of calls, and what somebody did besides. */
export const auditKinds = [
  'call',
  'read',
  'prompt',
  'sign-in',
  'sign-out',
  'refusal',
  'consent',
  'key',
  'person',
  'grant',
  'approval',
  'source',
  'setting',
  'credential',
  'break-glass',
  'export',
  'system',
] as const satisfies readonly (DeedKind | 'call' | 'read' | 'prompt')[]
export type AuditKind = (typeof auditKinds)[number]

export const auditOutcomes = ['ok', 'refused', 'failed'] as const
/** `failed` without a code is a tool that said no. */
export type AuditOutcome = (typeof auditOutcomes)[number]

/** One line of the trail (T40): who did what to what, when, and how it ended; never what was said, unless asked for. */
export interface AuditEntry {
  /** 0 is a line of the time before there was a chain, read as if it were one of today. */
  readonly v: 0 | 1
  /** The process that wrote it, and which of its lines this is. */
  readonly chain?: string | undefined
  readonly seq?: number | undefined
  /** SHA-256 of the line before in this chain; of the first, of the last line that was there. */
  readonly prev?: string | undefined
  readonly at: string
  readonly kind: AuditKind
  readonly action: string
  readonly actor: Actor
  readonly on?: { readonly type: string; readonly id: string } | undefined
  readonly profile?: string | undefined
  readonly source?: string | undefined
  readonly outcome: AuditOutcome
  readonly code?: string | undefined
  readonly severity?: 'high' | undefined
  readonly ms?: number | undefined
  readonly attempts?: number | undefined
  /**
   * In: the message that carried the arguments; without one, the arguments as JSON. Out: the result as its source sent it.
   * 0 where there was none.
   */
  readonly sizes?: { readonly in: number; readonly out: number } | undefined
  /** Where the answer said so. */
  readonly cost?: number | undefined
  /** The script that made the call, that it was, or whose call was asked about. */
  readonly run?: string | undefined
  /** Of a call that a script made: which of them. */
  readonly step?: number | undefined
  /** Of a call that was a script: the hash of its text, and its length. */
  readonly script?: CallScript | undefined
  /** What the arguments looked like. */
  readonly shape?: unknown
  /** Credentials that were found, where somebody looked. */
  readonly secrets?: CallSecrets | undefined
  /** Of a call that a rule denied or asked about: which. */
  readonly rule?: string | undefined
  /** Of a call to which somebody said yes: which request that was. */
  readonly grant?: string | undefined
  /** Only where values were switched on. */
  readonly args?: unknown
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** How many times, of what is folded into one line; of a loss, how many lines are missing. */
  readonly count?: number | undefined
  readonly trace?: string | undefined
  /** Of a start and a checkpoint: whose chain it is. */
  readonly replica?: string | undefined
  /** Of a start: the last line before was cut by a crash. */
  readonly torn?: true | undefined
  /** Of a checkpoint: the root that signed, and HMAC-SHA-256 over the line without its `mac`. */
  readonly key?: string | undefined
  readonly mac?: string | undefined
}

/** A line as an entry; undefined for one that a crash has cut, or that is none of ours. */
export const readEntry = (line: string): AuditEntry | undefined => {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isRecord(read) || typeof read.at !== 'string') return undefined
  return read.v === 1 ? (read as unknown as AuditEntry) : fromBefore(read)
}

const oldKinds: Readonly<Record<string, readonly [AuditKind, string, string]>> = {
  tool: ['call', 'call', 'tool'],
  resource: ['read', 'read', 'resource'],
  prompt: ['prompt', 'get', 'prompt'],
  completion: ['call', 'complete', 'completion'],
  other: ['call', 'ask', 'method'],
}

/** The kind, the verb and the object of a call of this kind. */
export const wordsOfCall = (kind: string): readonly [AuditKind, string, string] => oldKinds[kind] ?? oldKinds.tool!

/** What was written until 0.9: calls and losses, each with words of its own. */
const fromBefore = (old: Readonly<Record<string, any>>): AuditEntry | undefined => {
  const { at, caller, profile, tool, source, code, ms, attempts, cost, secrets, args } = old
  const system = { id: 'pegboard', type: 'system' } as const
  if (typeof old.lost === 'number')
    return { v: 0, at, kind: 'system', action: 'loss', actor: system, outcome: 'failed', count: old.lost }
  if (typeof tool !== 'string' || typeof caller !== 'string') return undefined
  const [kind, action, type] = wordsOfCall(typeof old.kind === 'string' ? old.kind : 'tool')
  return {
    ...{ v: 0, at, kind, action, actor: { id: caller, type: 'key' }, on: { type, id: tool } },
    ...{ profile, source, outcome: old.outcome === 'ok' ? 'ok' : 'failed', code, ms, attempts },
    ...{ sizes: { in: old.argBytes, out: old.resultBytes }, cost, shape: old.argShape, secrets, args },
  }
}

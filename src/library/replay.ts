import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../errors.js'
import type { Gateway } from '../gateway.js'
import { isErrorAnswer, toValue } from '../model/answer.js'
import { type Caller, localCaller } from '../model/caller.js'
import type { Outcome } from '../model/outcome.js'
import type { Tool } from '../model/tool.js'
import { type AuditKind, readEntry } from '../telemetry/audit-entry.js'

/** A call that was made: a line of an audit trail with values, or what `recordCalls` kept. */
export interface RecordedCall {
  /** Of an audit trail: what was asked for where it was no tool; only tools are called again. */
  readonly kind?: string | undefined
  readonly tool: string
  /** Missing where values were not kept; such a call cannot be replayed. */
  readonly args?: unknown
  /** Of an audit trail: 0 where the call had no arguments. */
  readonly argBytes?: number | undefined
  /** `ok`, `tool_error` (the tool said no) or `error` (there was no answer). */
  readonly outcome: string
  readonly code?: string | undefined
  readonly ms: number
  readonly cost?: number | undefined
  /** The answer, where it was kept. */
  readonly value?: unknown
}

export interface Replayed {
  readonly call: RecordedCall
  /** Undefined when it was left out. */
  readonly after: RecordedCall | undefined
  /** Why it was left out. */
  readonly skipped?: string | undefined
  /** Ended the same way, and with an equal answer where the first one was kept. */
  readonly same: boolean
}

export interface ReplayOptions {
  readonly caller?: Caller | undefined
  /** Replays every tool. Default: only those that say they change nothing or may run twice, since a replay acts again. */
  readonly everyTool?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface CallTape {
  /** Oldest first. */
  readonly calls: readonly RecordedCall[]
  stop(): void
}

/** Keeps the last calls of a gateway with their values. They may hold anything: they stay in this process. */
export const recordCalls = (gateway: Gateway, { limit = 1000 } = {}): CallTape => {
  const calls: RecordedCall[] = []
  const stop = gateway.onCall(({ kind, tool, latencyMs }, { args = {} }, outcome) => {
    if (kind !== 'tool') return
    calls.push({ ...endOf(outcome), tool, args, ms: latencyMs })
    if (calls.length > limit) calls.shift()
  })
  return { calls, stop }
}

/**
 * Makes recorded calls again, one after another, and says which ended otherwise than before (000-17). Give it the calls,
 * or the path of an `audit.jsonl` written with `telemetry.audit: values`.
 */
export const replayCalls = async (
  gateway: Gateway,
  recorded: string | Iterable<RecordedCall>,
  options: ReplayOptions = {},
): Promise<readonly Replayed[]> => {
  const replayed: Replayed[] = []
  for (const call of typeof recorded === 'string' ? await readTrail(recorded) : recorded) {
    if (options.signal?.aborted) break
    replayed.push(await replayOne(gateway, call, options))
  }
  return replayed
}

const replayOne = async (gateway: Gateway, call: RecordedCall, options: ReplayOptions): Promise<Replayed> => {
  const { caller = localCaller, everyTool = false, signal } = options
  const reason = reasonToSkip(call, gateway.find(call.tool, caller), everyTool)
  if (reason !== undefined) return { call, after: undefined, skipped: reason, same: false }
  const args = call.args ?? {}
  const outcome = await gateway.call({ tool: call.tool, args, caller, signal })
  const after = { ...endOf(outcome), tool: call.tool, args, ms: outcome.meta.latencyMs }
  const sameAnswer = !('value' in call) || isDeepStrictEqual(call.value, after.value)
  return { call, after, same: call.outcome === after.outcome && call.code === after.code && sameAnswer }
}

const reasonToSkip = (call: RecordedCall, tool: Tool | undefined, everyTool: boolean): string | undefined => {
  if (call.kind !== undefined) return `it asked for a ${call.kind}, not for a tool`
  if (call.args === undefined && call.argBytes !== 0) return 'its arguments were not kept'
  if (call.args === '(too large to keep)') return 'its arguments were too large to keep'
  if (!tool) return call.code === 'TOOL_NOT_FOUND' ? undefined : 'there is no such tool now'
  return everyTool || isHarmless(tool) ? undefined : 'the tool does not say that it may run twice'
}

const isHarmless = ({ idempotent, definition: { annotations } }: Tool): boolean =>
  idempotent ?? (annotations?.readOnlyHint === true || annotations?.idempotentHint === true)

const endOf = (outcome: Outcome): Pick<RecordedCall, 'outcome' | 'code' | 'value'> =>
  outcome.ok
    ? { outcome: isErrorAnswer(outcome.answer) ? 'tool_error' : 'ok', value: toValue(outcome.answer) }
    : { outcome: 'error', code: outcome.error.code }

const readTrail = async (path: string): Promise<readonly RecordedCall[]> => {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new GatewayError('STORE_UNREADABLE', `The recorded calls in ${path} cannot be read: ${cause.code}.`, {
      cause,
    })
  })
  return text.split('\n').flatMap(readLine)
}

/** A line cut by a crash is no line, and what is not a call cannot be made again. */
const readLine = (line: string): RecordedCall[] => {
  const recorded = readRecorded(line)
  if (recorded) return [recorded]
  const entry = readEntry(line)
  if (!entry?.on || !calls.has(entry.kind)) return []
  const { on, args, sizes, outcome, code, ms = 0, cost } = entry
  const isTool = on.type === 'tool'
  return [
    {
      ...{ kind: isTool ? undefined : on.type, tool: on.id, args, argBytes: sizes?.in, code, ms, cost },
      // Without a code it was the tool that said no.
      outcome: outcome === 'ok' ? 'ok' : code === undefined ? 'tool_error' : 'error',
    },
  ]
}

/** What `recordCalls` kept, or a line of the time before lines were chained. */
const readRecorded = (line: string): RecordedCall | undefined => {
  try {
    const call = JSON.parse(line) as RecordedCall
    return typeof call.tool === 'string' ? call : undefined
  } catch {
    return undefined
  }
}

const calls: ReadonlySet<AuditKind> = new Set<AuditKind>(['call', 'read', 'prompt'])

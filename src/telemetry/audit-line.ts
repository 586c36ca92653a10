import type { ErrorCode } from '../errors.js'
import type { Call } from '../model/call.js'
import type { Caller, CallerKind } from '../model/caller.js'
import { isRecord, kindOf } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import { ValueSearch } from '../secrets/mask.js'
import { type AuditOutcome, wordsOfCall } from './audit-entry.js'
import type { CallRecord } from './calls.js'
import { type Actor, actorOf, type Deed } from './deed.js'
import { type CallEnd, endOf } from './gateway-metrics.js'
import { jsonBytes } from './json-bytes.js'

const longestArgs = 8192
const longestTool = 512

/** What the operator wants of a line. */
export interface LineRules {
  /** Arguments as they are. */
  readonly values: boolean
  /** How somebody is called in the trail, where their ids are not to stand there. */
  readonly pseudonym?: ((id: string) => string) | undefined
  /** Addresses, where somebody asked for them. */
  readonly ip?: boolean | undefined
}

/**
 * An `AuditEntry` as its line, from `at` on: what comes before is the chain's. Written by hand, and out of few pieces: every
 * call pays for it, and an object made only to be serialised costs three times the text.
 */
export const auditLine = (record: CallRecord, call: Call, outcome: Outcome, rules: LineRules): string =>
  `"at":"${isoOf(record.at)}"${nameText(record, call, endOf(outcome), rules)},"ms":${msText(record.latencyMs)}` +
  `,"attempts":${record.attempts},"sizes":{"in":${argBytes(call)},"out":${resultBytes(outcome)}}` +
  (record.cost === undefined ? '' : `,"cost":${record.cost}`) +
  (record.run === undefined ? '' : runText(record)) +
  `,"shape":${argShape(call.args)}` +
  `${record.secrets === undefined ? '' : `,"secrets":${JSON.stringify(record.secrets)}`}` +
  `${record.rule === undefined ? '' : `,"rule":${JSON.stringify(short(record.rule))}`}` +
  `${record.grant === undefined ? '' : `,"grant":${JSON.stringify(short(record.grant))}`}` +
  `${call.meta === undefined ? '' : traceText(call.meta.traceparent)}${rules.values ? argsText(call.args) : ''}}`

/** The run; of a call in it its number, of the script itself what tells its text from others. */
const runText = ({ run, step, script }: CallRecord): string => `,${JSON.stringify({ run, step, script }).slice(1, -1)}`

/** What somebody did besides calls, the same way. */
export const deedLine = (at: number, deed: Deed, rules: LineRules): string => {
  const { actor, kind, action, on, profile, source, outcome, code, severity, run, before, after, count } = deed
  const told = {
    ...{ kind, action, actor: actorText(actor, rules), on: on && objectText(on, rules) },
    ...{ profile, source, outcome, code, severity, run, before: short(before), after: short(after), count },
  }
  return `"at":"${isoOf(at)}",${JSON.stringify(told).slice(1)}`
}

const objectText = ({ type, id }: NonNullable<Deed['on']>, { pseudonym }: LineRules): Deed['on'] => ({
  type,
  id: pseudonym !== undefined && type === 'person' ? pseudonym(id) : short(id),
})

const actorText = (actor: Actor, { pseudonym, ip }: LineRules): Actor => {
  const isHidden = pseudonym !== undefined && !plainActors.has(actor.type)
  return {
    id: isHidden ? pseudonym(actor.id) : short(actor.id),
    type: actor.type,
    name: isHidden ? undefined : short(actor.name),
    via: actor.via,
    client: short(actor.client),
    ip: ip ? actor.ip : undefined,
  }
}

// There is nobody behind them.
const plainActors: ReadonlySet<Actor['type']> = new Set<Actor['type']>(['system', 'local', 'anonymous'])

function short(text: string): string
function short(text: string | undefined): string | undefined
function short(text: string | undefined): string | undefined {
  return text !== undefined && text.length > longestTool ? text.slice(0, longestTool) : text
}

/** Who, what and how it ended: the same as of the tool's last call, most of the time. */
interface Names {
  readonly caller: Caller
  readonly rules: LineRules
  readonly source: string | undefined
  readonly end: CallEnd
  readonly code: string | undefined
  readonly text: string
}

const lastNames = new Map<string, Names>()
const mostKept = 1000

const nameText = (record: CallRecord, call: Call, end: CallEnd, rules: LineRules): string => {
  const { kind, tool, source, code } = record
  // A name that nothing has is the caller's own words, and addresses are endless.
  if (kind !== 'tool' || source === undefined) return namesOf(record, call.caller, end, rules)
  const last = lastNames.get(tool)
  if (
    last !== undefined &&
    isSame(last.caller, call.caller) &&
    last.source === source &&
    last.end === end &&
    last.code === code &&
    last.rules === rules
  )
    return last.text
  if (lastNames.size >= mostKept) lastNames.clear()
  // Through bytes: a text put together would be read piece by piece each time it is used.
  const text = Buffer.from(namesOf(record, call.caller, end, rules)).toString()
  lastNames.set(tool, { caller: call.caller, rules, source, end, code, text })
  return text
}

const isSame = (one: Caller, other: Caller): boolean =>
  one === other ||
  (one.id === other.id &&
    one.profile === other.profile &&
    one.kind === other.kind &&
    one.client === other.client &&
    one.identity === other.identity)

const namesOf = (record: CallRecord, caller: Caller, end: CallEnd, rules: LineRules): string => {
  const [kind, action, type] = wordsOfCall(record.kind)
  const actor = actorText(actorOf({ ...caller, id: record.caller }, ways[caller.kind ?? 'key']), rules)
  return (
    `,"kind":"${kind}","action":"${action}","actor":${JSON.stringify(actor)}` +
    `,"on":{"type":"${type}","id":${JSON.stringify(record.tool.slice(0, longestTool))}}` +
    (caller.profile === undefined ? '' : `,"profile":${JSON.stringify(caller.profile)}`) +
    (record.source === undefined ? '' : `,"source":${JSON.stringify(record.source)}`) +
    `,"outcome":"${outcomeOf(end, record.code)}"` +
    (record.code === undefined ? '' : `,"code":"${record.code}"`)
  )
}

/** By what somebody of this kind is known. */
const ways: Readonly<Record<CallerKind, string>> = {
  person: 'token',
  machine: 'token',
  key: 'key',
  local: 'local',
  anonymous: 'none',
}

const outcomeOf = (end: CallEnd, code: ErrorCode | undefined): AuditOutcome =>
  end === 'ok' ? 'ok' : code !== undefined && refusals.has(code) ? 'refused' : 'failed'

/** Codes by which we said no; whatever else went wrong was not meant so. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ACCESS_DENIED',
  'APPROVAL_REQUIRED',
  'APPROVAL_DENIED',
  'SIGN_IN_REQUIRED',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'TOOL_HELD',
  'SECRET_REFUSED',
])

// Of W3C: version, trace, span, flags.
const traceText = (parent: unknown): string =>
  typeof parent === 'string' && /^00-[0-9a-f]{32}-/.test(parent) ? `,"trace":"${parent.slice(3, 35)}"` : ''

// V8 remembers the texts of small whole numbers; that of a fraction is worked out each time.
const msText = (ms: number): string => {
  const us = Math.round(ms * 1000)
  return `${Math.floor(us / 1000)}.${thousandths(us % 1000)}`
}

const thousandths = (part: number): string => (part > 99 ? `${part}` : part > 9 ? `0${part}` : `00${part}`)

const argBytes = ({ args, bytes }: Call): number => (args === undefined ? 0 : (bytes ?? jsonBytes(args)))

const resultBytes = (outcome: Outcome): number => {
  if (!outcome.ok) return 0
  const { answer } = outcome
  return answer.bytes ?? jsonBytes(answer.type === 'value' ? answer.value : answer.result)
}

// What JSON cannot hold has no bytes, and no place in the line either.
const argsText = (args: unknown): string => {
  const bytes = jsonBytes(args)
  if (bytes === 0) return ''
  // What was asked for are the values, not the keys to somebody's house (T40).
  const shown = bytes > longestArgs ? '(too large to keep)' : new ValueSearch(undefined, true).walk(args)
  return `,"args":${JSON.stringify(shown)}`
}

// Arguments of this process may be anything, getters that throw included.
const argShape = (args: unknown): string => {
  try {
    return shapeText(args ?? {})
  } catch {
    return '"unreadable"'
  }
}

let lastSecond = Number.NaN
let lastText = ''

// As `toISOString`, which is asked once a second.
export const isoOf = (at: number): string => {
  const second = Math.floor(at / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastText = new Date(second * 1000).toISOString().slice(0, -4)
  }
  return `${lastText}${thousandths(Math.floor(at) - second * 1000)}Z`
}

const mostKeys = 32
const deepest = 4
const longestKey = 64

const lastKeys = new Map<string, string>()

const quoted = (key: string): string => {
  const known = lastKeys.get(key)
  if (known !== undefined) return known
  const made = JSON.stringify(key)
  if (lastKeys.size >= mostKept) lastKeys.clear()
  lastKeys.set(key, made)
  return made
}

/** What arguments looked like without what they said, as JSON: `{"city":"string","days":"number","tags":["string",3]}`. */
export const shapeText = (value: unknown, depth = 0): string => {
  if (Array.isArray(value))
    return depth >= deepest || value.length === 0 ? '"array"' : `[${shapeText(value[0], depth + 1)},${value.length}]`
  if (!isRecord(value)) return `"${kindOf(value)}"`
  if (depth >= deepest) return '"object"'
  const keys = Object.keys(value)
  let text = '{'
  for (let index = 0; index < keys.length && index < mostKeys; index++) {
    const key = keys[index]!
    const shown = quoted(key.length > longestKey ? key.slice(0, longestKey) : key)
    text += `${index === 0 ? '' : ','}${shown}:${shapeText(value[key], depth + 1)}`
  }
  return `${text}${keys.length > mostKeys ? `,"…":${keys.length - mostKeys}` : ''}}`
}

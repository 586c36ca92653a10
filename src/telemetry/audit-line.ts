import type { Call } from '../model/call.js'
import { isRecord, kindOf } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import { ValueSearch } from '../secrets/mask.js'
import type { CallRecord } from './calls.js'
import { type CallEnd, endOf } from './gateway-metrics.js'
import { jsonBytes } from './json-bytes.js'

const longestArgs = 8192
const longestTool = 512

/**
 * An `AuditEntry` as its line. Written by hand, and out of few pieces: every call pays for it, and an object made only to be
 * serialised costs three times the text.
 */
export const auditLine = (record: CallRecord, call: Call, outcome: Outcome, values: boolean): string =>
  `{"at":"${isoOf(record.at)}"${nameText(record, call.caller.profile, endOf(outcome))},"ms":${msText(record.latencyMs)}` +
  `,"attempts":${record.attempts},"argBytes":${argBytes(call)}` +
  (record.cost === undefined ? '' : `,"cost":${record.cost}`) +
  `,"argShape":${argShape(call.args)},"resultBytes":${resultBytes(outcome)}` +
  `${record.secrets === undefined ? '' : `,"secrets":${JSON.stringify(record.secrets)}`}` +
  `${values ? argsText(call.args) : ''}}\n`

/** The line where so many are missing. */
export const lossLine = (at: number, lost: number): string => `{"at":"${isoOf(at)}","lost":${lost}}\n`

/** Who, what and how it ended: the same as of the tool's last call, most of the time. */
interface Names {
  readonly caller: string
  readonly profile: string | undefined
  readonly source: string | undefined
  readonly end: CallEnd
  readonly code: string | undefined
  readonly text: string
}

const lastNames = new Map<string, Names>()
const mostKept = 1000

const nameText = (record: CallRecord, profile: string | undefined, end: CallEnd): string => {
  const { kind, tool, source, caller, code } = record
  // A name that nothing has is the caller's own words, and addresses are endless.
  if (kind !== 'tool' || source === undefined) return namesOf(record, profile, end)
  const last = lastNames.get(tool)
  if (
    last !== undefined &&
    last.caller === caller &&
    last.source === source &&
    last.end === end &&
    last.code === code &&
    last.profile === profile
  )
    return last.text
  if (lastNames.size >= mostKept) lastNames.clear()
  // Through bytes: a text put together would be read piece by piece each time it is used.
  const text = Buffer.from(namesOf(record, profile, end)).toString()
  lastNames.set(tool, { caller, profile, source, end, code, text })
  return text
}

const namesOf = (record: CallRecord, profile: string | undefined, end: CallEnd): string =>
  `,"caller":${JSON.stringify(record.caller)}` +
  (profile === undefined ? '' : `,"profile":${JSON.stringify(profile)}`) +
  // Most are: the word stands only where it is another.
  (record.kind === 'tool' ? '' : `,"kind":"${record.kind}"`) +
  `,"tool":${JSON.stringify(record.tool.slice(0, longestTool))}` +
  (record.source === undefined ? '' : `,"source":${JSON.stringify(record.source)}`) +
  `,"outcome":"${end}"` +
  (record.code === undefined ? '' : `,"code":"${record.code}"`)

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
const isoOf = (at: number): string => {
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

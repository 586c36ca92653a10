import type { Call } from '../model/call.js'
import { isRecord, kindOf } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import type { CallRecord } from './calls.js'
import { endOf } from './gateway-metrics.js'
import { jsonBytes } from './json-bytes.js'

const longestArgs = 8192
const longestTool = 512

/**
 * An `AuditEntry` as its line. Written by hand: every call pays for it, and an object made only to be serialised costs
 * three times the text.
 */
export const auditLine = (record: CallRecord, call: Call, outcome: Outcome, values: boolean): string => {
  const { profile } = call.caller
  return (
    `{"at":"${isoOf(record.at)}","caller":${quoted(record.caller)}` +
    (profile === undefined ? '' : `,"profile":${quoted(profile)}`) +
    // Most are: the word stands only where it is another.
    (record.kind === 'tool' ? '' : `,"kind":"${record.kind}"`) +
    `,"tool":${toolText(record)}` +
    (record.source === undefined ? '' : `,"source":${quoted(record.source)}`) +
    `,"outcome":"${endOf(outcome)}"` +
    (record.code === undefined ? '' : `,"code":"${record.code}"`) +
    `,"ms":${Math.round(record.latencyMs * 1000) / 1000},"attempts":${record.attempts},"argBytes":${argBytes(call)}` +
    (record.cost === undefined ? '' : `,"cost":${record.cost}`) +
    `,"argShape":${argShape(call.args)},"resultBytes":${resultBytes(outcome)}` +
    `${values ? argsText(call.args) : ''}}\n`
  )
}

/** The line where so many are missing. */
export const lossLine = (at: number, lost: number): string => `{"at":"${isoOf(at)}","lost":${lost}}\n`

// Of what was asked for by a name that nothing has, the name is the caller's own words, and may be any length.
const toolText = ({ tool, source }: CallRecord): string =>
  source === undefined ? JSON.stringify(tool.slice(0, longestTool)) : quoted(tool.slice(0, longestTool))

const known = new Map<string, string>()
const mostKnown = 1000

/** The names of tools, sources and callers come again and again; addresses and strangers do not, and make room. */
const quoted = (text: string): string => {
  const found = known.get(text)
  if (found !== undefined) return found
  const made = JSON.stringify(text)
  if (known.size >= mostKnown) known.clear()
  known.set(text, made)
  return made
}

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
  return `,"args":${bytes > longestArgs ? '"(too large to keep)"' : JSON.stringify(args)}`
}

// Arguments of this process may be anything, getters that throw included.
const argShape = (args: unknown): string => {
  try {
    return shapeText(args ?? {})
  } catch {
    return '"unreadable"'
  }
}

let lastAt = Number.NaN
let lastIso = ''

// Calls that end together end in the same millisecond.
const isoOf = (at: number): string => {
  if (at !== lastAt) {
    lastAt = at
    lastIso = new Date(at).toISOString()
  }
  return lastIso
}

const mostKeys = 32
const deepest = 4
const longestKey = 64

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
    const shown = JSON.stringify(key.slice(0, longestKey))
    text += `${index === 0 ? '' : ','}${shown}:${shapeText(value[key], depth + 1)}`
  }
  return `${text}${keys.length > mostKeys ? `,"…":${keys.length - mostKeys}` : ''}}`
}

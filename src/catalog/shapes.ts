import { isErrorAnswer, toValue } from '../model/answer.js'
import { isRecord } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { CallListener } from '../telemetry/calls.js'

/** What tools were seen to answer, as types: keys and kinds, no values. Nearly no server says it itself (`outputSchema`). */
export interface LearnedShapes {
  /** Undefined before two answers were alike, and after the definition changed. */
  of(tool: Tool): string | undefined
  /** Of every call. */
  readonly listener: CallListener
}

const mostTools = 2000
const mostKeys = 24
const mostKeyLength = 40
const mostLength = 400
const mostDepth = 4
const mostElements = 5
// What is known well is looked at seldom: reading an answer costs time.
const wellKnown = 8
const thenEvery = 50

interface Learned {
  readonly hash: string
  text: string
  alike: number
  seen: number
}

export const createLearnedShapes = (find: (id: string) => Tool | undefined): LearnedShapes => {
  const known = new Map<string, Learned>()
  return {
    of: (tool) => {
      const learned = known.get(tool.id)
      return learned && learned.alike >= 2 && learned.hash === definitionHash(tool.definition)
        ? `/*seen*/ ${learned.text}`
        : undefined
    },
    listener: ({ kind, tool: id, ok }, _, outcome) => {
      if (kind !== 'tool' || !ok || !outcome.ok || isErrorAnswer(outcome.answer)) return
      const learned = known.get(id)
      if (learned && learned.alike >= wellKnown && ++learned.seen % thenEvery !== 0) return
      const tool = find(id)
      if (!tool || tool.own) return
      const text = shapeOf(toValue(outcome.answer))
      const hash = definitionHash(tool.definition)
      if (learned?.hash === hash && learned.text === text) learned.alike++
      else known.set(id, { hash, text, alike: 1, seen: 0 })
      if (known.size > mostTools) known.delete(known.keys().next().value as string)
    },
  }
}

/** The type of a value, at most so long. */
export const shapeOf = (value: unknown): string => {
  for (let depth = mostDepth; depth > 0; depth--) {
    const text = typeOf(value, depth)
    if (text.length <= mostLength) return text
  }
  return Array.isArray(value) ? 'any[]' : 'any'
}

const typeOf = (value: unknown, depth: number): string => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return listOf(value, depth)
  if (typeof value !== 'object') return typeof value
  if (!isRecord(value) || depth === 0) return 'object'
  return recordOf([value], depth)
}

const listOf = (values: readonly unknown[], depth: number): string => {
  if (values.length === 0 || depth === 0) return 'any[]'
  const some = values.slice(0, mostElements)
  const inner = some.every(isRecord) ? recordOf(some, depth - 1) : union(some.map((each) => typeOf(each, depth - 1)))
  return inner.includes('|') && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`
}

const union = (types: readonly string[]): string => [...new Set(types)].sort().join('|')

/** Of one object, or of several that are elements of one list: keys that not all of them have are optional. */
const recordOf = (records: readonly Readonly<Record<string, unknown>>[], depth: number): string => {
  if (depth < 0) return 'object'
  const keys = [...new Set(records.flatMap((each) => Object.keys(each)))]
  const valuesOf = (key: string) => records.filter((each) => Object.hasOwn(each, key)).map((each) => each[key])
  const of = (key: string): string => union(valuesOf(key).map((value) => typeOf(value, depth - 1)))
  if (keys.length === 0) return '{}'
  // Keys that look like data are data: ids, addresses, dates.
  if (keys.length > mostKeys || !keys.every(isName)) return `Record<string, ${union(keys.slice(0, 8).map(of))}>`
  const members = keys.map((key) => `${key}${valuesOf(key).length < records.length ? '?' : ''}: ${of(key)}`)
  return `{ ${members.join(', ')} }`
}

const isName = (key: string): boolean =>
  key.length <= mostKeyLength && /^[A-Za-z_][A-Za-z_]*\d{0,2}$/.test(key.replaceAll('-', '_'))

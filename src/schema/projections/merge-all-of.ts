import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { canonicalJson } from '../canonical.js'
import { deepEqual } from '../equal.js'
import type { Losses } from '../losses.js'
import { setMember } from '../member.js'

/** Folds `allOf` into the schema around it: most dialects have none, and authors use it to extend objects. */
export const mergeAllOf = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const { allOf, ...around } = schema
  if (!Array.isArray(allOf)) return schema
  let merged: JsonObject = around
  // Properties that were copied already take more without another copy: a thousand members would copy each other's.
  const copies: Copies = new WeakSet()
  allOf.forEach((member, index) => {
    if (!isRecord(member)) return
    const inner = mergeAllOf(member as JsonObject, `${path}/allOf/${index}`, losses)
    merged = mergeTwo(merged, inner, `${path}/allOf/${index}`, losses, copies)
  })
  return merged
}

type Copies = WeakSet<object>
type Merge = (left: JsonValue, right: JsonValue, copies: Copies) => JsonValue | undefined

/** Schemas come from strangers: a keyword of the wrong kind counts as a contradiction, not as a crash. */
const numbers =
  (pick: (left: number, right: number) => number): Merge =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? pick(left, right) : undefined

const first: Merge = (left) => left
const larger = numbers(Math.max)
const smaller = numbers(Math.min)

/** How two values of one keyword become one that means both; undefined when they cannot. */
const merges: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ['properties', (left, right, copies) => mergeProperties(left, right, copies)],
  ['required', (left, right) => (isList(left) && isList(right) ? [...new Set([...left, ...right])] : undefined)],
  ['type', (left, right) => common(left, right)],
  ['enum', (left, right) => common(left, right)],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, larger] as const),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, smaller] as const),
  ['additionalProperties', (left, right) => (left === false || right === false ? false : left === true ? right : left)],
  ['items', (left, right) => ({ allOf: [left, right] })],
  // The outer text is about this place, the inner one about the type; titles and defaults alike.
  ...['description', 'title', 'default'].map((name) => [name, first] as const),
])

const mergeTwo = (left: JsonObject, right: JsonObject, path: string, losses: Losses, copies: Copies): JsonObject => {
  const merged: Record<string, JsonValue | undefined> = { ...left }
  for (const [keyword, value] of Object.entries(right)) {
    const present = Object.hasOwn(left, keyword) ? left[keyword] : undefined
    if (value === undefined) continue
    const joined =
      present === undefined || deepEqual(present, value) ? value : merges.get(keyword)?.(present, value, copies)
    if (joined === undefined) losses.add(`${path}/${keyword}`, keyword, 'contradicts the schema around allOf; left out')
    else merged[keyword] = joined
  }
  return merged
}

const mergeProperties = (left: JsonValue, right: JsonValue, copies: Copies): JsonObject | undefined => {
  if (!isRecord(left) || !isRecord(right)) return undefined
  const joined: Record<string, unknown> = copies.has(left) ? left : Object.fromEntries(Object.entries(left))
  copies.add(joined)
  for (const [name, schema] of Object.entries(right as JsonObject)) {
    const present = Object.hasOwn(joined, name) ? (joined as JsonObject)[name] : undefined
    const both = present === undefined || deepEqual(present, schema) ? schema : { allOf: [present, schema] }
    setMember(joined, name, both)
  }
  return joined as JsonObject
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

const common = (left: JsonValue, right: JsonValue): JsonValue | undefined => {
  const [first, second] = [listOf(left), listOf(right)]
  const texts = new Set(second.map((item) => canonicalJson(item)))
  const both = first.filter((item) => texts.has(canonicalJson(item)))
  if (both.length === 0) return undefined
  return both.length === 1 && !(Array.isArray(left) && Array.isArray(right)) ? both[0] : both
}

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value as JsonValue])

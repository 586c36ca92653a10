import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { deepEqual } from '../equal.js'
import type { Losses } from '../losses.js'

/** Folds `allOf` into the schema around it: most dialects have none, and authors use it to extend objects. */
export const mergeAllOf = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const { allOf, ...around } = schema
  if (!Array.isArray(allOf)) return schema
  let merged: JsonObject = around
  allOf.forEach((member, index) => {
    if (!isRecord(member)) return
    const inner = mergeAllOf(member as JsonObject, `${path}/allOf/${index}`, losses)
    merged = mergeTwo(merged, inner, `${path}/allOf/${index}`, losses)
  })
  return merged
}

type Merge = (left: JsonValue, right: JsonValue) => JsonValue | undefined

const larger: Merge = (left, right) => Math.max(left as number, right as number)
const smaller: Merge = (left, right) => Math.min(left as number, right as number)

/** How two values of one keyword become one that means both; undefined when they cannot. */
const merges: Readonly<Record<string, Merge>> = {
  properties: (left, right) => mergeProperties(left as JsonObject, right as JsonObject),
  required: (left, right) => [...new Set([...(left as JsonValue[]), ...(right as JsonValue[])])],
  type: (left, right) => common(left, right),
  enum: (left, right) => common(left, right),
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  additionalProperties: (left, right) => (left === false || right === false ? false : left === true ? right : left),
  items: (left, right) => ({ allOf: [left, right] }),
  // The outer text is about this place, the inner one about the type; titles and defaults alike.
  description: (left) => left,
  title: (left) => left,
  default: (left) => left,
}

const mergeTwo = (left: JsonObject, right: JsonObject, path: string, losses: Losses): JsonObject => {
  const merged: Record<string, JsonValue | undefined> = { ...left }
  for (const [keyword, value] of Object.entries(right)) {
    const present = Object.hasOwn(left, keyword) ? left[keyword] : undefined
    if (value === undefined) continue
    const joined = present === undefined || deepEqual(present, value) ? value : merges[keyword]?.(present, value)
    if (joined === undefined) losses.add(`${path}/${keyword}`, keyword, 'contradicts the schema around allOf; left out')
    else merged[keyword] = joined
  }
  return merged
}

const mergeProperties = (left: JsonObject, right: JsonObject): JsonObject => {
  const entries = Object.entries(right).map(([name, schema]) => {
    const present = Object.hasOwn(left, name) ? left[name] : undefined
    return [name, present === undefined || deepEqual(present, schema) ? schema : { allOf: [present, schema] }]
  })
  return { ...left, ...Object.fromEntries(entries) }
}

const common = (left: JsonValue, right: JsonValue): JsonValue | undefined => {
  const [first, second] = [listOf(left), listOf(right)]
  const both = first.filter((item) => second.some((other) => deepEqual(item, other)))
  if (both.length === 0) return undefined
  return both.length === 1 && !(Array.isArray(left) && Array.isArray(right)) ? both[0] : both
}

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value as JsonValue])

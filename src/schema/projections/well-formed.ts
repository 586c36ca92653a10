import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { escapePointer } from '../problems.js'
import { shapeOf } from '../shapes.js'
import { keywordForms } from './keyword-forms.js'
import { modernSpelling } from './modern-spelling.js'

/**
 * The schema as the meta-schema of 2020-12 has it. Providers check that and refuse the whole request over one keyword of
 * the wrong kind, in whichever tool it stands; so such a keyword is left out, and told. Forms of older drafts become
 * today's. Every array has `items` and every subschema is an object, which providers ask for and JSON Schema does not.
 */
export const wellFormed = (schema: JsonObject, losses: Losses, path = ''): JsonObject => {
  const { schema: spelled, losses: respelled } = modernSpelling(schema)
  for (const [keyword, reason] of respelled) losses.add(`${path}/${keyword}`, keyword, reason)
  const written: [string, JsonValue][] = []
  for (const [keyword, value] of Object.entries(spelled)) {
    if (value === undefined || isDropped(keyword, path)) continue
    const at = `${path}/${escapePointer(keyword)}`
    const kept = keywordValue(keyword, value, at, losses)
    if (kept !== undefined) written.push([keyword, kept])
    else losses.add(at, keyword, 'is not as JSON Schema has it; left out')
  }
  return withItems(Object.fromEntries(written))
}

// They say nothing about a value, and what refers to them is inlined by now; only the root's `$defs` may be referred to.
const nameless = new Set(['$schema', '$id', '$comment', '$anchor', '$vocabulary', 'definitions'])
const dynamic = new Set(['$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef'])

const isDropped = (keyword: string, path: string): boolean =>
  nameless.has(keyword) || dynamic.has(keyword) || (keyword === '$defs' && path !== '')

const keywordValue = (keyword: string, value: JsonValue, path: string, losses: Losses): JsonValue | undefined => {
  if (shapeOf(keyword) !== undefined) return subschemas(keyword, value, path, losses)
  const form = keywordForms.get(keyword)
  return form === undefined || form(value) ? unique(keyword, value) : undefined
}

const unique = (keyword: string, value: JsonValue): JsonValue => {
  if (keyword === 'enum' || keyword === 'required') return once(value as readonly JsonValue[])
  if (keyword !== 'dependentRequired') return value
  const lists = Object.entries(value as JsonObject).map(([name, names]) => [name, once(names as readonly JsonValue[])])
  return Object.fromEntries(lists)
}

const once = (values: readonly JsonValue[]): readonly JsonValue[] => [
  ...new Map(values.map((item) => [JSON.stringify(item), item] as const)).values(),
]

// Here a boolean is how everybody writes it, and providers take it.
const booleans = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'])

const subschemas = (keyword: string, value: JsonValue, path: string, losses: Losses): JsonValue | undefined => {
  const shape = shapeOf(keyword)
  if (shape === 'list') return list(value, path, losses)
  if (shape === 'map' || shape === 'map-or-names') return map(keyword, value, path, losses)
  return booleans.has(keyword) && typeof value === 'boolean' ? value : one(value, path, losses)
}

const one = (value: JsonValue | undefined, path: string, losses: Losses): JsonObject | undefined => {
  if (typeof value === 'boolean') return value ? {} : { not: {} }
  return isRecord(value) ? wellFormed(value as JsonObject, losses, path) : undefined
}

const list = (value: JsonValue, path: string, losses: Losses): JsonValue | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const members = value.map((item, index) => one(item, `${path}/${index}`, losses))
  return members.every((member) => member !== undefined) ? members : undefined
}

const map = (keyword: string, value: JsonValue, path: string, losses: Losses): JsonValue | undefined => {
  if (!isRecord(value)) return undefined
  const members: [string, JsonValue][] = []
  for (const [name, item] of Object.entries(value as JsonObject)) {
    const at = `${path}/${escapePointer(name)}`
    const member = memberOf(keyword, name, item, at, losses)
    if (member !== undefined) members.push([name, member])
    else losses.add(at, keyword, 'is not as JSON Schema has it; left out')
  }
  return Object.fromEntries(members)
}

const memberOf = (
  keyword: string,
  name: string,
  item: JsonValue | undefined,
  path: string,
  losses: Losses,
): JsonValue | undefined => {
  if (keyword === 'patternProperties' && !keywordForms.get('pattern')!(name)) return undefined
  const isNames = keyword === 'dependencies' && keywordForms.get('required')!(item as JsonValue)
  return isNames ? once(item as readonly JsonValue[]) : one(item, path, losses)
}

const withItems = (schema: JsonObject): JsonObject => {
  const { type } = schema
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isArray && schema.items === undefined ? { ...schema, items: {} } : schema
}

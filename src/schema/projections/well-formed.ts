import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { escapePointer } from '../problems.js'
import { shapeOf } from '../shapes.js'

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

interface Spelled {
  readonly schema: JsonObject
  /** Keyword and reason of what could not be carried over. */
  readonly losses: readonly (readonly [string, string])[]
}

/** Forms of older drafts as 2020-12 spells them: tuples, their rest, bounds that were flags. One level; keeps the meaning. */
const modernSpelling = (schema: JsonObject): Spelled => {
  const tuple = withPrefixItems(schema)
  const closed = withoutFalseItems(tuple)
  const lower = withExclusive(closed, 'minimum', 'exclusiveMinimum')
  const upper = withExclusive(lower, 'maximum', 'exclusiveMaximum')
  // Draft 3 said `required: true` inside a property; today the object around it says so.
  if (typeof upper.required !== 'boolean') return { schema: upper, losses: [] }
  const { required, ...rest } = upper
  return { schema: rest, losses: required ? [['required', 'belongs to the object around it; left out']] : [] }
}

const withPrefixItems = (schema: JsonObject): JsonObject => {
  const { additionalItems, ...rest } = schema
  if (!Array.isArray(schema.items)) return additionalItems === undefined ? schema : rest
  const { items, ...others } = rest
  return {
    ...others,
    ...defined({ prefixItems: (items as readonly JsonValue[]).length > 0 ? items : undefined, items: additionalItems }),
  }
}

/** Providers take no `false` for items; that nothing may follow can be said by a number. */
const withoutFalseItems = (schema: JsonObject): JsonObject => {
  if (schema.items !== false) return schema
  const { items: _closed, maxItems, ...rest } = schema
  const length = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0
  return { ...rest, maxItems: typeof maxItems === 'number' && maxItems >= 0 ? Math.min(maxItems, length) : length }
}

const withExclusive = (schema: JsonObject, bound: string, flag: string): JsonObject => {
  if (typeof schema[flag] !== 'boolean') return schema
  const { [bound]: value, [flag]: exclusive, ...rest } = schema
  return value === undefined ? rest : { ...rest, [exclusive ? flag : bound]: value }
}

type Form = (value: JsonValue) => boolean

const typeNames = new Set<unknown>(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

const isText: Form = (value) => typeof value === 'string'
const isBoolean: Form = (value) => typeof value === 'boolean'
const isNumber: Form = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Form = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isNames: Form = (value) => Array.isArray(value) && value.every(isText)

const isPattern: Form = (value) => {
  if (typeof value !== 'string') return false
  try {
    return Boolean(new RegExp(value, 'u'))
  } catch {
    return false
  }
}

const isType: Form = (value) => {
  if (!Array.isArray(value)) return typeNames.has(value)
  return value.length > 0 && value.every((name) => typeNames.has(name)) && new Set(value).size === value.length
}

const all = (form: Form, ...keywords: readonly string[]): readonly (readonly [string, Form])[] =>
  keywords.map((keyword) => [keyword, form] as const)

/** What the value of a keyword must be, by the meta-schema; keywords that hold subschemas are not among them. */
const keywordForms: ReadonlyMap<string, Form> = new Map([
  ...all(isType, 'type'),
  ...all(isText, '$ref', 'title', 'description', 'format', 'contentEncoding', 'contentMediaType'),
  ...all(isPattern, 'pattern'),
  ...all(isNumber, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...all((value) => isNumber(value) && (value as number) > 0, 'multipleOf'),
  ...all(isCount, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...all(isCount, 'minContains', 'maxContains'),
  ...all(isBoolean, 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly', 'nullable'),
  ...all((value) => Array.isArray(value) && value.length > 0, 'enum'),
  ...all(Array.isArray, 'examples'),
  ...all(isNames, 'required', 'propertyOrdering'),
  ...all(
    (value) => isRecord(value) && Object.values(value).every((each) => isNames(each as JsonValue)),
    'dependentRequired',
  ),
])

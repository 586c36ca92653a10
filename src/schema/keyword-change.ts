import { isRecord } from '../model/json.js'
import { canonicalJson } from './canonical.js'
import type { ChangeKind, DefinitionDifference } from './change-kinds.js'

export interface KeywordPlace {
  /** The schemas around it. */
  readonly was: Readonly<Record<string, unknown>>
  readonly is: Readonly<Record<string, unknown>>
  readonly path: string
  /** Compares two schemas inside it. */
  compare(was: unknown, is: unknown, path: string): readonly DefinitionDifference[]
}

type Comparison = (one: unknown, other: unknown, place: KeywordPlace) => readonly DefinitionDifference[]

/** What a change of one keyword means; one that is not in the table may mean anything. */
export const compareKeyword = (
  keyword: string,
  one: unknown,
  other: unknown,
  place: KeywordPlace,
): readonly DefinitionDifference[] => {
  const compare = Object.hasOwn(comparisons, keyword) ? comparisons[keyword]! : always('other')
  return compare(one, other, place)
}

const always =
  (kind: ChangeKind): Comparison =>
  (_one, _other, { path }) => [{ path, kind }]

/** More of it means that less is taken: `minimum`, `minLength`. */
const lower: Comparison = (one, other, { path }) => [{ path, kind: bound(one, other, (was, is) => is >= was) }]
const upper: Comparison = (one, other, { path }) => [{ path, kind: bound(one, other, (was, is) => is <= was) }]

const bound = (one: unknown, other: unknown, isTighter: (was: number, is: number) => boolean): ChangeKind => {
  if (typeof other !== 'number') return other === undefined ? 'widening' : 'other'
  if (one === undefined) return 'narrowing'
  return typeof one === 'number' && isTighter(one, other) ? 'narrowing' : 'widening'
}

const types: Comparison = (one, other, { path }) => {
  const [was, is] = [namesOf(one), namesOf(other)]
  if (was === undefined || is === undefined) return [{ path, kind: 'other' }]
  if (is.length === 0) return [{ path, kind: 'widening' }]
  const takes = (type: string): boolean => was.includes(type) || (type === 'integer' && was.includes('number'))
  if (was.length > 0 && !is.every(takes)) return [{ path, kind: 'widening' }]
  return [{ path, kind: was.length === is.length && is.every((type) => was.includes(type)) ? 'cosmetic' : 'narrowing' }]
}

const typeNames: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const namesOf = (value: unknown): readonly string[] | undefined => {
  const names: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return names.every((name) => typeNames.has(name)) ? [...new Set(names as readonly string[])] : undefined
}

/** The values that are allowed. Which there are is read by models, so a value that was not there before is news. */
const values: Comparison = (one, other, { path }) => {
  if (other === undefined) return [{ path, kind: 'widening' }]
  if (!Array.isArray(one) || !Array.isArray(other)) return [{ path, kind: 'other' }]
  const was = new Set(one.map((value) => canonicalJson(value)))
  const is = new Set(other.map((value) => canonicalJson(value)))
  if (![...is].every((value) => was.has(value))) return [{ path, kind: 'widening' }]
  return [{ path, kind: is.size === was.size ? 'cosmetic' : 'narrowing' }]
}

const required: Comparison = (one, other, { path, was }) => {
  const [before, after] = [textsOf(one), textsOf(other)]
  if (!before || !after) return [{ path, kind: 'other' }]
  const [had, has] = [new Set(before), new Set(after)]
  if (before.some((name) => !has.has(name))) return [{ path, kind: 'widening' }]
  const added = after.filter((name) => !had.has(name))
  // A name that no property has is one more thing to pass.
  const known = isRecord(was.properties) ? was.properties : {}
  if (added.some((name) => !Object.hasOwn(known, name))) return [{ path, kind: 'widening' }]
  return [{ path, kind: added.length > 0 ? 'narrowing' : 'cosmetic' }]
}

const textsOf = (value: unknown): readonly string[] | undefined => {
  if (value === undefined) return []
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}

const properties: Comparison = (one, other, { path, is, compare }) => {
  const [was, now] = [one ?? {}, other ?? {}]
  if (!isRecord(was) || !isRecord(now)) return [{ path, kind: 'other' }]
  // Where unknown ones are refused a property that is gone is refused; elsewhere it has lost its constraints.
  const isClosed = is.additionalProperties === false && is.patternProperties === undefined
  return keysOf(was, now).flatMap((name): readonly DefinitionDifference[] => {
    const at = `${path}.${name}`
    if (!Object.hasOwn(was, name)) return [{ path: at, kind: 'widening' }]
    if (!Object.hasOwn(now, name)) return [{ path: at, kind: isClosed ? 'narrowing' : 'widening' }]
    return compare(was[name], now[name], at)
  })
}

const additional: Comparison = (one, other, { path, compare }) => {
  const isPlain = (value: unknown): boolean => value === undefined || typeof value === 'boolean'
  if (!isPlain(one) || !isPlain(other)) return compare(one, other, path)
  if ((one === false) === (other === false)) return [{ path, kind: 'cosmetic' }]
  return [{ path, kind: other === false ? 'narrowing' : 'opened' }]
}

const schema: Comparison = (one, other, { path, compare }) =>
  Array.isArray(one) || Array.isArray(other) ? listOf(one, other, path, compare) : compare(one, other, path)

/** Place by place; another number of places is another shape. */
const listOf = (
  one: unknown,
  other: unknown,
  path: string,
  compare: KeywordPlace['compare'],
): readonly DefinitionDifference[] => {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return [{ path, kind: 'other' }]
  return one.flatMap((item, index) => compare(item, other[index], `${path}.${index}`))
}

const places: Comparison = (one, other, { path, compare }) => listOf(one, other, path, compare)

const anyOf: Comparison = (one, other, { path, compare }) => {
  if (!Array.isArray(one) || !Array.isArray(other)) return [{ path, kind: other === undefined ? 'widening' : 'other' }]
  const was = new Set(one.map((branch) => canonicalJson(branch)))
  const is = new Set(other.map((branch) => canonicalJson(branch)))
  if ([...is].every((branch) => was.has(branch)))
    return [{ path, kind: is.size === was.size ? 'cosmetic' : 'narrowing' }]
  return listOf(one, other, path, compare)
}

/** Inside these less may be more: a narrower branch of `oneOf` can let through what two branches refused together. */
const onlyCosmetic: Comparison = (one, other, { path, compare }) => listOf(one, other, path, compare).map(strictly)

/** A definition may be used inside anything, so the same holds. */
const definitions: Comparison = (one, other, { path, compare }) => {
  if (!isRecord(one) || !isRecord(other)) return [{ path, kind: 'other' }]
  return keysOf(one, other).flatMap((name): readonly DefinitionDifference[] => {
    const at = `${path}.${name}`
    if (!Object.hasOwn(one, name) || !Object.hasOwn(other, name)) return [{ path: at, kind: 'other' }]
    return compare(one[name], other[name], at).map(strictly)
  })
}

const strictly = (change: DefinitionDifference): DefinitionDifference =>
  change.kind === 'narrowing' ? { ...change, kind: 'other' } : change

const keysOf = (one: object, other: object): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()

/** A text that is free can hold a message to a model; the names of dialects and formats cannot. */
const named =
  (pattern: RegExp): Comparison =>
  (one, other, { path }) => {
    const isPlain = (value: unknown): boolean =>
      value === undefined || (typeof value === 'string' && pattern.test(value))
    return [{ path, kind: isPlain(one) && isPlain(other) ? 'cosmetic' : 'words' }]
  }

const multiple: Comparison = (one, other, { path }) => {
  if (other === undefined) return [{ path, kind: 'widening' }]
  const isFiner = one === undefined || (typeof one === 'number' && typeof other === 'number' && other % one === 0)
  return [{ path, kind: isFiner ? 'narrowing' : 'widening' }]
}

const unique: Comparison = (one, other, { path }) => {
  if (other === true) return [{ path, kind: 'narrowing' }]
  return [{ path, kind: one === true ? 'widening' : 'cosmetic' }]
}

const comparisons: Readonly<Record<string, Comparison>> = {
  title: always('words'),
  description: always('words'),
  $comment: always('words'),
  examples: always('words'),
  // What a tool does when nothing is said.
  default: always('widening'),
  $schema: named(/^https?:\/\/json-schema\.org\/(?:draft\/20\d\d-\d\d|draft-0\d)\/schema#?$/),
  format: named(/^[a-z][a-z0-9-]{0,31}$/),
  type: types,
  enum: values,
  minimum: lower,
  exclusiveMinimum: lower,
  minLength: lower,
  minItems: lower,
  minProperties: lower,
  maximum: upper,
  exclusiveMaximum: upper,
  maxLength: upper,
  maxItems: upper,
  maxProperties: upper,
  multipleOf: multiple,
  uniqueItems: unique,
  required,
  properties,
  additionalProperties: additional,
  items: schema,
  prefixItems: places,
  anyOf,
  allOf: places,
  oneOf: onlyCosmetic,
  $defs: definitions,
  definitions,
}

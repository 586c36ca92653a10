import { defined, isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { byPointer, type RefResolver } from './references.js'

type Node = Readonly<Record<string, unknown>>

const deepest = 12
const mostItems = 16
const mostHops = 16

/**
 * A value that fits a schema, as somebody would begin with: what is required, what has an example or a default, and of the
 * rest nothing. Pure and bounded; what a schema asks for by a pattern or a condition may be missed, so whoever needs to be
 * sure checks it.
 */
export const exampleOf = (schema: JsonObject): JsonValue => new Example(schema).of(schema, 0, 0)

class Example {
  readonly #resolve: RefResolver

  constructor(root: JsonObject) {
    this.#resolve = byPointer(root)
  }

  /** `nth` tells the items of one list apart, where they have to differ. */
  of(given: unknown, depth: number, nth: number): JsonValue {
    if (!isRecord(given)) return sampleText
    const schema = this.#flat(given, depth)
    const said = saidIn(schema, nth)
    if (said !== undefined) return said
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return this.#list(schema, depth)
      case 'integer':
      case 'number':
        return numberOf(schema, nth)
      case 'boolean':
        return nth % 2 === 0
      case 'null':
        return null
      default:
        return textOf(schema, nth)
    }
  }

  #object(schema: Node, depth: number): JsonValue {
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = new Set(namesIn(schema.required))
    if (depth > deepest) return {}
    const told = Object.keys(properties).filter((name) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      return required.has(name) || (isRecord(own) && isTelling(this.#flat(own, depth + 1)))
    })
    const names = [...new Set([...told, ...required])]
    return Object.fromEntries(
      names.map((name) => [name, this.of(this.#propertyOf(schema, name), depth + 1, 0)] as const),
    )
  }

  #propertyOf(schema: Node, name: string): unknown {
    const { properties, additionalProperties } = schema
    if (isRecord(properties) && Object.hasOwn(properties, name)) return properties[name]
    return additionalProperties
  }

  #list(schema: Node, depth: number): JsonValue {
    const { items, prefixItems, minItems, maxItems } = schema
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const least = typeof minItems === 'number' ? minItems : 0
    const most = typeof maxItems === 'number' ? maxItems : mostItems
    // One item shows what the list is of; deep inside, only what has to be there.
    const wanted = Math.max(least, first.length, depth < 3 && isRecord(items) ? 1 : 0)
    const count = depth > deepest ? 0 : Math.min(wanted, most, mostItems)
    return Array.from({ length: count }, (_, at) => this.of(first[at] ?? items, depth + 1, at))
  }

  /** The schema with what it refers to and the first of its alternatives taken in. */
  #flat(given: Node, depth: number): Node {
    let current = given
    for (let hop = 0; hop < mostHops; hop++) {
      const { $ref, allOf, anyOf, oneOf, ...rest } = current
      const target = typeof $ref === 'string' ? this.#resolve($ref) : undefined
      const all = Array.isArray(allOf) ? allOf.filter(isRecord) : []
      const choice = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? [this.#plainest(each, depth)] : []))
      const parts = [target, ...all, ...choice].filter(isRecord)
      if (parts.length === 0) return current
      current = [...parts, rest].reduce(merged)
    }
    return current
  }

  /** Deep inside a schema that refers to itself, the alternative that ends. */
  #plainest(choices: readonly unknown[], depth: number): Node | undefined {
    const known = choices.filter(isRecord)
    const real = known.filter(({ type }) => type !== 'null')
    if (depth < deepest / 2) return real[0] ?? known[0]
    return known.find(({ $ref, properties, items }) => !$ref && !properties && !items) ?? known[0]
  }
}

const sampleText = '…'

/** What the schema itself gives as a value. */
const saidIn = (schema: Node, nth: number): JsonValue | undefined => {
  if ('const' in schema) return schema.const as JsonValue
  const choices = Array.isArray(schema.enum) ? schema.enum : []
  if (choices.length > 0) {
    const wanted = [schema.default, ...listIn(schema.examples)].find((each) => choices.includes(each))
    return (nth === 0 ? (wanted ?? choices[0]) : choices[nth % choices.length]) as JsonValue
  }
  if (nth > 0) return listIn(schema.examples)[nth] as JsonValue | undefined
  if (schema.default !== undefined && schema.default !== null) return schema.default as JsonValue
  return listIn(schema.examples)[0] as JsonValue | undefined
}

const isTelling = (schema: Node): boolean => Array.isArray(schema.examples) && schema.examples.length > 0

const typeOf = (schema: Node): unknown => {
  const { type } = schema
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? type[0]
  if (type !== undefined) return type
  if (schema.properties !== undefined || schema.required !== undefined) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  return numeric.some((key) => key in schema) ? 'number' : 'string'
}

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

const numberOf = (schema: Node, nth: number): number => {
  const step =
    typeof schema.multipleOf === 'number' && schema.multipleOf > 0
      ? schema.multipleOf
      : typeOf(schema) === 'integer'
        ? 1
        : 0
  const above = limit(schema.exclusiveMinimum)
  const below = limit(schema.exclusiveMaximum)
  const least = Math.max(limit(schema.minimum) ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY)
  const most = Math.min(limit(schema.maximum) ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY)
  const isWithin = (value: number): boolean =>
    value >= least && value <= most && value !== above && value !== below && isMultiple(value, step)
  const from = Number.isFinite(least) ? least : Number.isFinite(most) ? most : 1
  const near = step > 0 ? [Math.ceil(from / step) * step, Math.floor(from / step) * step] : [from]
  const unit = step > 0 ? step : 1
  const between = Number.isFinite(least) && Number.isFinite(most) ? [(least + most) / 2] : []
  const tried = [1, ...near, ...near.flatMap((each) => [each + unit, each - unit]), ...between].map((each) =>
    each === 0 ? 0 : each,
  )
  const found = tried.find(isWithin) ?? near[0]!
  const next = found + nth * unit
  return isWithin(next) ? next : isWithin(found - nth * unit) ? found - nth * unit : found
}

const isMultiple = (value: number, step: number): boolean =>
  step === 0 || Math.abs(value / step - Math.round(value / step)) < 1e-9

const limit = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
}

const textOf = ({ format, minLength, maxLength }: Node, nth: number): string => {
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
  const base = known ?? (nth === 0 ? sampleText : `${sampleText}${nth + 1}`)
  const least = typeof minLength === 'number' ? Math.min(minLength, 1000) : 0
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
  return base.padEnd(least, sampleText).slice(0, most)
}

/** Both at once: properties and what is required add up, of the rest the later counts. */
const merged = (one: Node, other: Node): Node => {
  const properties =
    isRecord(one.properties) && isRecord(other.properties) ? { ...one.properties, ...other.properties } : undefined
  const required =
    Array.isArray(one.required) && Array.isArray(other.required)
      ? [...new Set([...one.required, ...other.required])]
      : undefined
  return { ...one, ...other, ...defined({ properties, required }) }
}

const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

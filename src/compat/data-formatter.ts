import { isRecord, type JsonObject } from '../model/json.js'
import { type Kwargs, toKwargs } from '../schema/projections/kwargs.js'
import { isStandardSchema } from '../sources/functions/standard-schema.js'

export interface SanitizeOptions {
  /** Leaves types (`Number`, a class) as they are, as `returns` of a tool has them. Default: their names. */
  readonly remainType?: boolean | undefined
}

/**
 * Any value as plain data that JSON can hold (document 003's `DataFormatter.sanitize`): dates as ISO 8601, maps and sets
 * as objects and lists, errors as their words, types by the names of JSON Schema, a schema as its JSON Schema. Never
 * throws and never changes its input; what contains itself is cut there.
 */
export const sanitize = (value: unknown, options: SanitizeOptions = {}): unknown => clean(value, options, [])

/** Document 003's form of a JSON Schema: `{ name: [type, description] }`, or null when it asks for nothing. */
export const fromSchemaToKwargsFormat = (schema: JsonObject | null | undefined): Kwargs | null => toKwargs(schema).value

export const DataFormatter = Object.freeze({
  sanitize,
  fromSchemaToKwargsFormat,
  from_schema_to_kwargs_format: fromSchemaToKwargsFormat,
})

const deepest = 64

const clean = (value: unknown, options: SanitizeOptions, around: readonly object[]): unknown => {
  if (typeof value === 'function') return options.remainType ? value : typeName(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (around.includes(value) || around.length >= deepest) return '…'
  const inner = (each: unknown): unknown => clean(each, options, [...around, value])
  return special(value, inner) ?? entriesOf(value, inner)
}

const special = (value: object, inner: (each: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(inner)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
  if (value instanceof Error) return value.message
  if (value instanceof Set) return [...value].map(inner)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), inner(each)]))
  if (value instanceof URL || value instanceof RegExp) return String(value)
  return isStandardSchema(value) ? jsonSchemaOf(value) : undefined
}

const entriesOf = (value: object, inner: (each: unknown) => unknown): unknown => {
  const toJson = (value as { toJSON?: unknown }).toJSON
  if (!isRecord(value) && typeof toJson === 'function') return attempt(() => inner(toJson.call(value)))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)]))
}

const jsonSchemaOf = (schema: Parameters<typeof isStandardSchema>[0]): unknown =>
  attempt(() => {
    const { jsonSchema } = (schema as { '~standard': { jsonSchema?: { output(o: object): object } | undefined } })[
      '~standard'
    ]
    return jsonSchema?.output({ target: 'draft-2020-12' })
  })

const attempt = (make: () => unknown): unknown => {
  try {
    return make() ?? null
  } catch {
    return null
  }
}

const names: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Array, 'array'],
  [Object, 'object'],
  [BigInt, 'integer'],
])

const typeName = (type: { readonly name?: string | undefined }): string => names.get(type) ?? (type.name || 'function')

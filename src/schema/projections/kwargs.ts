import { KeyError } from '../../errors.js'
import { isRecord, type JsonObject, type JsonValue, kindOf } from '../../model/json.js'
import { type Loss, Losses } from '../losses.js'

/** One argument as document 003 describes it: its type (`any` when unknown) and everything else in words. */
export type Kwarg = readonly [type: JsonValue, description: string]

/** Arguments by name; `<*>` stands for names nobody declared. Null when a schema asks for nothing. */
export type Kwargs = Readonly<Record<string, Kwarg>>

/** The type of an argument that may be anything. */
export const anyKwarg = 'any'
/** The entry for arguments nobody declared. */
export const otherKwargs = '<*>'

/**
 * Document 003's form of a schema. As there: no schema gives null, a schema without `type` throws KeyError, one that
 * is no object TypeError. Unlike there, the schema is left as it was, and what is lost is reported.
 */
export const toKwargs = (
  schema: JsonObject | null | undefined,
): { readonly value: Kwargs | null; readonly losses: readonly Loss[] } => {
  if (schema === null || schema === undefined || Object.keys(schema).length === 0) return { value: null, losses: [] }
  if (schema.type === undefined) throw new KeyError("Cannot find key 'type' in the input schema")
  if (schema.type !== 'object') throw new TypeError(`Input schema type is not 'object' but ${named(schema.type)}`)
  const losses = new Losses()
  if (Array.isArray(schema.required) && schema.required.length > 0) {
    losses.add('/required', 'required', 'which arguments are required cannot be said there')
  }
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  const entries = properties.map(([name, property]) => [name, kwargOf(property)] as const)
  const others = Object.hasOwn(schema, 'additionalProperties') ? othersOf(schema.additionalProperties) : undefined
  const all = others === undefined ? entries : [...entries, [otherKwargs, others] as const]
  return { value: all.length === 0 ? null : Object.fromEntries(all), losses: losses.list }
}

const named = (type: JsonValue): string => (typeof type === 'string' ? `'${type.slice(0, 40)}'` : kindOf(type))

const kwargOf = (schema: unknown): Kwarg => {
  if (!isRecord(schema)) return [anyKwarg, '']
  const { type, title: _title, ...rest } = schema
  const words = Object.entries(rest).filter(([, value]) => value !== undefined)
  const description = words.map(([keyword, value]) => `${keyword}: ${pythonText(value)}`).join(';')
  return [(type as JsonValue | undefined) ?? anyKwarg, description]
}

const othersOf = (extra: unknown): Kwarg | undefined => (extra === false ? undefined : kwargOf(extra))

/** A JSON value as Python's `str` writes it, since document 003 builds its descriptions with that. */
const pythonText = (value: unknown): string => (typeof value === 'string' ? value : repr(value))

const repr = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (!isRecord(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${repr(item)}`)
    .join(', ')}}`
}

/** Single quotes, unless the text has them and no double ones. */
const quoted = (text: string): string => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  if (text.includes("'") && !text.includes('"')) return `"${escaped}"`
  return `'${escaped.replaceAll("'", "\\'")}'`
}

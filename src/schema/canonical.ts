import { hash } from 'node:crypto'
import { GatewayError } from '../errors.js'

/** How much `canonicalJson` takes before it refuses; both bounds also end cyclic objects. */
export interface CanonicalOptions {
  /** Nesting of objects and arrays. Default 256: deeper than any real schema, shallow enough for the call stack. */
  readonly maxDepth?: number | undefined
  /** Length of the text in UTF-16 units. Default 16 Mi. */
  readonly maxLength?: number | undefined
}

/**
 * One text for all spellings of a JSON value: keys sorted, `undefined` dropped, `-0` written as `0`. What JSON cannot
 * carry is written as JSON.stringify would. Throws SCHEMA_INVALID when the value is too deep, too long or cyclic.
 */
export const canonicalJson = (value: unknown, options: CanonicalOptions = {}): string => {
  const writer = { left: options.maxLength ?? 16 * 1024 * 1024 }
  return write(value, options.maxDepth ?? 256, writer) ?? 'null'
}

/** SHA-256 (hex) of the canonical text: equal for equal JSON, whatever the order of keys. */
export const stableHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex')

interface Writer {
  left: number
}

const write = (value: unknown, depth: number, writer: Writer): string | undefined => {
  if (typeof value === 'string') return spend(JSON.stringify(value), writer)
  if (typeof value === 'number') return spend(Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null', writer)
  if (typeof value === 'boolean') return spend(value ? 'true' : 'false', writer)
  if (value === null) return spend('null', writer)
  if (typeof value === 'bigint') return spend(`"${value}"`, writer)
  if (typeof value !== 'object') return undefined
  if (depth === 0) throw tooDeep()
  if (value instanceof Date) return write(value.toJSON(), depth, writer)
  return Array.isArray(value) ? writeArray(value, depth, writer) : writeObject(value, depth, writer)
}

const writeArray = (items: readonly unknown[], depth: number, writer: Writer): string => {
  let text = '['
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ','
    text += write(items[i], depth - 1, writer) ?? 'null'
  }
  spend(',', writer)
  return `${text}]`
}

const writeObject = (object: object, depth: number, writer: Writer): string => {
  let text = '{'
  for (const key of Object.keys(object).sort()) {
    const item = write((object as Record<string, unknown>)[key], depth - 1, writer)
    if (item === undefined) continue
    text += `${text === '{' ? '' : ','}${spend(JSON.stringify(key), writer)}:${item}`
  }
  spend('{}', writer)
  return `${text}}`
}

const spend = (text: string, writer: Writer): string => {
  writer.left -= text.length
  if (writer.left < 0) throw tooLong()
  return text
}

const tooDeep = (): GatewayError =>
  new GatewayError('SCHEMA_INVALID', 'The JSON value is nested too deeply or refers to itself; flatten it.')

const tooLong = (): GatewayError =>
  new GatewayError('SCHEMA_INVALID', 'The JSON value is too large to compare; shorten it.')

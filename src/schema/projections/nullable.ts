import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { RefResolver } from '../references.js'

/** The schema, with null allowed too: how strict modes spell an optional argument. */
export const nullable = (schema: JsonObject): JsonObject => {
  if (allowsNull(schema)) return schema
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  if (schema.$ref !== undefined || schema.const !== undefined || schema.type === undefined) {
    const { description, ...rest } = schema
    return defined({ anyOf: [rest, { type: 'null' }], description })
  }
  const type = [...listOf(schema.type), 'null']
  return { ...schema, type, ...defined({ enum: Array.isArray(schema.enum) ? [...schema.enum, null] : undefined }) }
}

/** Whether null fits. Without a resolver, a reference counts as refusing it. */
export const allowsNull = (schema: unknown, resolve: RefResolver = () => false): boolean =>
  fitsNull(schema, resolve, new Map())

/** Each schema is asked once, however many ways lead to it; one that leads back to itself refuses nothing more. */
const fitsNull = (schema: unknown, resolve: RefResolver, known: Map<object, boolean>): boolean => {
  if (!isRecord(schema)) return schema !== false
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, true)
  const fits = judgeNull(schema, resolve, known)
  known.set(schema, fits)
  return fits
}

const judgeNull = (
  schema: Readonly<Record<string, unknown>>,
  resolve: RefResolver,
  known: Map<object, boolean>,
): boolean => {
  const { type, enum: values, $ref: reference } = schema
  if (schema.const !== undefined && schema.const !== null) return false
  if (Array.isArray(values) && !values.includes(null)) return false
  if (type !== undefined && !listOf(type as JsonValue).includes('null')) return false
  if (typeof reference === 'string' && !fitsNull(resolve(reference), resolve, known)) return false
  const fits = (item: unknown): boolean => fitsNull(item, resolve, known)
  const { allOf, anyOf, oneOf } = schema
  if (Array.isArray(allOf) && !allOf.every(fits)) return false
  return [anyOf, oneOf].every((forms) => !Array.isArray(forms) || forms.some(fits))
}

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value as JsonValue])

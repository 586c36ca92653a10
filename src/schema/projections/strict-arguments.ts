import { isRecord, type JsonObject } from '../../model/json.js'
import { byName, byPointer, firstOf, type RefResolver } from '../references.js'
import { allowsNull } from './nullable.js'

/**
 * Takes out the nulls a model wrote only because strict mode made an optional argument nullable: those whose
 * original schema neither requires nor allows them. Gives the input itself when there are none.
 */
export const dropAddedNulls = (args: unknown, originalSchema: JsonObject): unknown => {
  const resolve = firstOf(byPointer(originalSchema), byName(originalSchema))
  return clean(args, [originalSchema], resolve, 0)
}

const deepest = 64

const clean = (value: unknown, schemas: readonly unknown[], resolve: RefResolver, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  const forms = schemas.flatMap((schema) => formsOf(schema, resolve, 0))
  if (!Array.isArray(value)) return cleanObject(value as JsonObject, forms, resolve, depth)
  const items = forms.map((form) => form.items).filter((item) => item !== undefined)
  const cleaned = value.map((item) => clean(item, items, resolve, depth + 1))
  return cleaned.some((item, index) => item !== value[index]) ? cleaned : value
}

const cleanObject = (
  object: JsonObject,
  forms: readonly JsonObject[],
  resolve: RefResolver,
  depth: number,
): JsonObject => {
  let changed = false
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(object)) {
    const declaring = forms.filter((form) => isRecord(form.properties) && Object.hasOwn(form.properties, name))
    const schemas = declaring.map((form) => (form.properties as JsonObject)[name])
    if (value === null && wasAdded(name, declaring, schemas, resolve)) {
      changed = true
      continue
    }
    const cleaned = clean(value, schemas, resolve, depth + 1)
    changed ||= cleaned !== value
    entries.push([name, cleaned])
  }
  return changed ? (Object.fromEntries(entries) as JsonObject) : object
}

const wasAdded = (
  name: string,
  declaring: readonly JsonObject[],
  schemas: readonly unknown[],
  resolve: RefResolver,
): boolean => {
  const optional = declaring.some((form) => !(Array.isArray(form.required) && form.required.includes(name)))
  return optional && !schemas.some((schema) => allowsNull(schema, resolve))
}

/** The schema and everything it applies to the same value, references followed. */
const formsOf = (schema: unknown, resolve: RefResolver, hops: number): readonly JsonObject[] => {
  if (!isRecord(schema) || hops > 16) return []
  const target = typeof schema.$ref === 'string' ? formsOf(resolve(schema.$ref), resolve, hops + 1) : []
  const members = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword].flatMap((item) => formsOf(item, resolve, hops + 1)) : [],
  )
  return [schema as JsonObject, ...target, ...members]
}

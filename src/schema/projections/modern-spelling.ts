import { defined, type JsonObject, type JsonValue } from '../../model/json.js'

interface Spelled {
  readonly schema: JsonObject
  /** Keyword and reason of what could not be carried over. */
  readonly losses: readonly (readonly [string, string])[]
}

/** Forms of older drafts as 2020-12 spells them: tuples, their rest, bounds that were flags. One level; keeps the meaning. */
export const modernSpelling = (schema: JsonObject): Spelled => {
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

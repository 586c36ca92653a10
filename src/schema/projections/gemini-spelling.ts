import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'

/** JSON Schema's ways of saying "one of these values", "several types" and "or null" in OpenAPI 3.0's. */
export const respellForGemini = (schema: JsonObject): JsonObject => withNullable(withOneType(withEnum(schema)))

const withEnum = (schema: JsonObject): JsonObject => {
  const { const: only, ...rest } = schema
  if (only === undefined) return Array.isArray(schema.enum) ? withoutNull(schema, schema.enum) : schema
  if (only === null) return { ...rest, type: 'null' }
  return { ...rest, type: rest.type ?? (Array.isArray(only) ? 'array' : typeof only), enum: [only] }
}

/** A null among the values is spelled `nullable`. */
const withoutNull = (schema: JsonObject, values: readonly JsonValue[]): JsonObject => {
  const others = values.filter((item) => item !== null)
  const { enum: _values, ...rest } = schema
  if (others.length === 0) return { ...rest, type: 'null' }
  const typed = schema.type === undefined && others.every((item) => typeof item === 'string')
  const named = typed ? { ...schema, type: 'string' } : schema
  return others.length < values.length ? { ...named, nullable: true, enum: others } : named
}

const withOneType = (schema: JsonObject): JsonObject => {
  if (!Array.isArray(schema.type)) return schema
  const types = schema.type.filter((name) => name !== 'null')
  const orNull = types.length < schema.type.length ? { nullable: true } : {}
  const { type: _types, ...rest } = schema
  if (types.length <= 1) return { ...rest, type: types[0] ?? 'null', ...orNull }
  if (schema.anyOf !== undefined) return { ...rest, ...orNull }
  const { title, description, default: fallback, ...limits } = rest
  const about = Object.entries({ title, description, default: fallback }).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(about),
    anyOf: types.map((type) => ({ ...limits, type: type as JsonValue })),
    ...orNull,
  }
}

/** `anyOf: [X, null]` is X, nullable; the words around it win. */
const withNullable = (schema: JsonObject): JsonObject => {
  if (!Array.isArray(schema.anyOf)) return schema
  const forms = schema.anyOf.filter((form) => !(isRecord(form) && form.type === 'null'))
  const orNull = forms.length < schema.anyOf.length ? { nullable: true } : {}
  const [only, other] = forms
  const { anyOf: _forms, ...rest } = schema
  if (only === undefined) return { ...rest, type: 'null' }
  if (other !== undefined) return { ...schema, anyOf: forms, ...orNull }
  const inner = isRecord(only) ? respellForGemini(only as JsonObject) : {}
  return { ...inner, ...rest, ...orNull }
}

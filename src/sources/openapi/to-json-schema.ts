import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { inlineRefs } from '../../schema/inline.js'

/**
 * A schema of an OpenAPI document as plain JSON Schema for a request: references followed into the document (004-11),
 * 3.0's own words spelled as JSON Schema has them, what only servers write left out.
 */
export const toJsonSchema = (schema: unknown, document: JsonObject): JsonObject => {
  if (!isRecord(schema)) return {}
  const inlined = inlineRefs(schema as JsonObject, {
    document,
    maxDepth: Number.POSITIVE_INFINITY,
    maxNodes: 5000,
  }).schema
  return respell(inlined, 0) as JsonObject
}

const deepest = 100
// Words of OpenAPI that a validator does not know and a model does not need.
const dropped = new Set(['discriminator', 'xml', 'externalDocs', 'nullable', 'example', 'readOnly', 'writeOnly'])

const respell = (node: JsonValue, depth: number): JsonValue => {
  if (depth > deepest) return {}
  if (!isRecord(node)) return node
  const schema = node as JsonObject
  const written: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(schema))
    if (value !== undefined && !dropped.has(keyword) && !keyword.startsWith('x-'))
      written[keyword] = inner(keyword, value, depth)
  return withNull(withoutReadOnly(withBounds(written), schema), schema)
}

const inner = (keyword: string, value: JsonValue, depth: number): JsonValue => {
  const below = (each: JsonValue): JsonValue => respell(each, depth + 1)
  if (keyword === 'properties' || keyword === 'patternProperties')
    return isRecord(value) ? mapOf(value as JsonObject, below) : {}
  if (['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(keyword))
    return Array.isArray(value) ? value.map(below) : value
  return ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'].includes(keyword) ? below(value) : value
}

const mapOf = (members: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value as JsonValue)]))

/** 3.0 has flags beside the bound where JSON Schema has bounds. */
const withBounds = (schema: Record<string, JsonValue>): JsonObject => {
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = schema
  const { minimum, maximum, ...free } = rest
  const low =
    above === true && minimum !== undefined ? { exclusiveMinimum: minimum } : minimum === undefined ? {} : { minimum }
  const high =
    below === true && maximum !== undefined ? { exclusiveMaximum: maximum } : maximum === undefined ? {} : { maximum }
  return {
    ...free,
    ...low,
    ...high,
    ...defined({
      exclusiveMinimum: typeof above === 'number' ? above : undefined,
      exclusiveMaximum: typeof below === 'number' ? below : undefined,
    }),
  }
}

/** What only the server writes is no part of a request. */
const withoutReadOnly = (written: JsonObject, original: JsonObject): JsonObject => {
  if (!isRecord(original.properties) || !isRecord(written.properties)) return written
  const hidden = new Set(
    Object.entries(original.properties)
      .filter(([, property]) => isRecord(property) && property.readOnly === true)
      .map(([name]) => name),
  )
  if (hidden.size === 0) return written
  const properties = Object.fromEntries(Object.entries(written.properties).filter(([name]) => !hidden.has(name)))
  const required = Array.isArray(written.required)
    ? written.required.filter((name) => !hidden.has(String(name)))
    : undefined
  const { required: _required, ...rest } = written
  return {
    ...rest,
    properties: properties as JsonObject,
    ...defined({ required: required && required.length > 0 ? required : undefined }),
  }
}

const withNull = (written: JsonObject, original: JsonObject): JsonObject => {
  if (original.nullable !== true) return written
  if (typeof written.type !== 'string') return { anyOf: [written, { type: 'null' }] }
  return {
    ...written,
    type: [written.type, 'null'],
    ...defined({
      enum: Array.isArray(written.enum) && !written.enum.includes(null) ? [...written.enum, null] : undefined,
    }),
  }
}

import { defined, type JsonObject, type JsonValue } from '../../model/json.js'
import { type Implementation, metaOf, stampResult, stripReserved } from '../message.js'

export interface ModernExtras {
  readonly serverInfo: Implementation
  /** For lists and reads only, where the spec demands it. */
  readonly caching?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' } | undefined
}

/** A result as a modern client must see it: its type named, ours the serverInfo, caching said where it is wanted. */
export const modernResult = (result: JsonObject, extras: ModernExtras): JsonObject => ({
  resultType: 'complete',
  ...result,
  ...extras.caching,
  _meta: stampResult(metaOf(result), extras.serverInfo),
})

/**
 * The same as text. A result without `_meta` of its own, as nearly all are, is written once and ours put behind it:
 * copying it into a new object first costs as much as writing it.
 */
export const modernResultText = (result: JsonObject, serverInfo: Implementation): string => {
  if ('_meta' in result) return JSON.stringify(modernResult(result, { serverInfo }))
  const text = JSON.stringify(result)
  const type = result.resultType === undefined ? '"resultType":"complete",' : ''
  return text === '{}' ? `{${type}${metaText(serverInfo)}` : `{${type}${text.slice(1, -1)},${metaText(serverInfo)}`
}

const metaTexts = new WeakMap<Implementation, string>()

const metaText = (serverInfo: Implementation): string => {
  const known = metaTexts.get(serverInfo)
  if (known !== undefined) return known
  const made = `"_meta":${JSON.stringify(stampResult(undefined, serverInfo))}}`
  metaTexts.set(serverInfo, made)
  return made
}

/** A result as a legacy client may see it: what only the modern era knows is left out, reserved `_meta` too. */
export const legacyResult = (result: JsonObject): JsonObject => {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: _, ...rest } = result
  const meta = stripReserved(metaOf(result))
  return meta ? { ...rest, _meta: meta } : rest
}

/**
 * A tool's result for a legacy client. Structured content must be an object there, so anything else goes into
 * `{ result }`; the same where the tool's output schema is wrapped (`legacyTool`), even if this value is an object.
 */
export const legacyToolResult = (result: JsonObject, outputSchema?: JsonObject): JsonObject => {
  const projected = legacyResult(result)
  const content = projected.structuredContent
  if (content === undefined) return projected
  const wrap = !isObject(content) || (outputSchema !== undefined && !isObjectSchema(outputSchema))
  return wrap ? { ...projected, structuredContent: { result: content } } : projected
}

/** A tool's definition for a legacy client: an output schema whose root is no object is wrapped as `{ result }`. */
export const legacyTool = (definition: JsonObject): JsonObject => {
  const schema = definition.outputSchema
  if (!isObject(schema) || isObjectSchema(schema)) return definition
  return { ...definition, outputSchema: wrapSchema(schema) }
}

const isObjectSchema = (schema: JsonObject): boolean => schema.type === 'object'

const wrapSchema = (schema: JsonObject): JsonObject => {
  const { $schema, ...inner } = schema
  return {
    ...defined({ $schema }),
    type: 'object',
    properties: { result: moveRefs(inner, 0) as JsonObject },
    required: ['result'],
  }
}

const maxDepth = 64

// The schema is no longer the root, so references from the root have a longer way. Below an `$id` the root is another.
const moveRefs = (value: JsonValue | undefined, depth: number): JsonValue | undefined => {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => moveRefs(item, depth + 1) as JsonValue)
  const node = value as JsonObject
  if (typeof node.$id === 'string') return node
  return Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      typeof child === 'string' && isReference(key)
        ? moveRef(child)
        : literal.has(key)
          ? child
          : moveRefs(child, depth + 1),
    ]),
  )
}

// Values, not schemas: a `$ref` inside them is data.
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

const isReference = (key: string): boolean => key === '$ref' || key === '$dynamicRef'

const moveRef = (ref: string): string =>
  ref === '#' || ref.startsWith('#/') ? `#/properties/result${ref.slice(1)}` : ref

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

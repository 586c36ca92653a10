import { defined, type JsonObject, type JsonValue } from '../model/json.js'
import type { RawResult } from '../model/raw-result.js'
import { type HeaderBag, headerOf } from './headers.js'
import { type Implementation, metaKeys, metaOf, stampResult, stripReserved } from './message.js'
import { RpcError, rpcCodes } from './rpc-error.js'

/** Modern requests carry their own metadata; legacy ones live in a session begun by `initialize`. The spec's own terms. */
export type Era = 'legacy' | 'modern'

/** Revisions with the `initialize` handshake, oldest first. */
export const legacyVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

/** Revisions with per-request metadata, oldest first. */
export const modernVersions = ['2026-07-28'] as const

export const latestLegacyVersion = '2025-11-25'
export const latestModernVersion = '2026-07-28'

/** What the spec tells a server to assume of a legacy HTTP request without a version header. */
export const assumedLegacyVersion = '2025-03-26'

export const isLegacyVersion = (version: unknown): version is (typeof legacyVersions)[number] =>
  (legacyVersions as readonly unknown[]).includes(version)

export const isModernVersion = (version: unknown): version is (typeof modernVersions)[number] =>
  (modernVersions as readonly unknown[]).includes(version)

/** The answer to `initialize`: the version asked for if we speak it, else our newest; the client decides if it can live with that. */
export const negotiateVersion = (requested: unknown): string =>
  isLegacyVersion(requested) ? requested : latestLegacyVersion

export interface IncomingRequest {
  readonly method: string
  readonly params: JsonObject | undefined
  /** Undefined on transports without headers: lines and WebSocket. */
  readonly headers?: HeaderBag | undefined
}

/** What a modern request says about its sender, all of it for this request only. */
export interface ModernRequest {
  readonly era: 'modern'
  readonly version: string
  readonly clientCapabilities: JsonObject
  readonly clientInfo: JsonObject | undefined
  readonly logLevel: string | undefined
}

export interface LegacyRequest {
  readonly era: 'legacy'
  /** By header, or what the spec says to assume; sessions know better. */
  readonly version: string
}

export interface RejectedRequest {
  readonly era: 'rejected'
  readonly error: RpcError
}

/**
 * Which era a request belongs to, by itself: a gateway serves both on one endpoint, and nothing may be inferred from
 * an earlier request. Headers are checked against the body by `checkHeaders`, once the tool is known.
 */
export const classifyRequest = (request: IncomingRequest): ModernRequest | LegacyRequest | RejectedRequest => {
  const meta = metaOf(request.params)
  const claimed = meta && Object.hasOwn(meta, metaKeys.protocolVersion)
  return claimed ? classifyModern(meta, request.headers) : classifyLegacy(request)
}

const classifyModern = (meta: JsonObject, headers: HeaderBag | undefined): ModernRequest | RejectedRequest => {
  const version = meta[metaKeys.protocolVersion]
  if (typeof version !== 'string') return rejectMeta(metaKeys.protocolVersion, 'a string')
  // Before the version itself: of two that disagree it is not known which one was meant.
  const header = headers && headerOf(headers, 'mcp-protocol-version')?.trim()
  if (header !== undefined && header !== version) return rejectDisagreement
  if (!isModernVersion(version)) return rejectVersion(version)
  const clientCapabilities = objectAt(meta, metaKeys.clientCapabilities)
  if (!clientCapabilities) return rejectMeta(metaKeys.clientCapabilities, 'an object')
  const logLevel = meta[metaKeys.logLevel]
  return {
    era: 'modern',
    version,
    clientCapabilities,
    clientInfo: objectAt(meta, metaKeys.clientInfo),
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  }
}

const classifyLegacy = (request: IncomingRequest): LegacyRequest | RejectedRequest => {
  const header = request.headers && headerOf(request.headers, 'mcp-protocol-version')?.trim()
  // initialize settles the version itself; a header from an earlier session must not stand in its way.
  if (header === undefined || request.method === 'initialize') return { era: 'legacy', version: assumedLegacyVersion }
  if (isLegacyVersion(header)) return { era: 'legacy', version: header }
  if (isModernVersion(header)) return rejectMeta(metaKeys.protocolVersion, 'a string')
  return rejectVersion(header)
}

const objectAt = (meta: JsonObject, key: string): JsonObject | undefined => {
  const value = meta[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

const rejectMeta = (key: string, kind: string): RejectedRequest => ({
  era: 'rejected',
  error: new RpcError(rpcCodes.invalidParams, `params._meta["${key}"] is required and must be ${kind}.`, {
    httpStatus: 400,
  }),
})

const rejectDisagreement: RejectedRequest = {
  era: 'rejected',
  error: new RpcError(rpcCodes.headerMismatch, 'The mcp-protocol-version header does not match the body.'),
}

/** The refusal of a version we do not speak; `supported` names modern revisions only, as legacy ones are negotiated by `initialize`. */
const rejectVersion = (requested: string): RejectedRequest => ({
  era: 'rejected',
  error: new RpcError(rpcCodes.unsupportedVersion, 'This protocol version is not supported.', {
    data: { supported: [...modernVersions], requested: requested.slice(0, 64) },
  }),
})

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

/**
 * The same of a result that came as bytes: its members pass as they are, `_meta` alone is written anew. Text where it is
 * short, else pieces of which only ours are new.
 */
export const modernRawResult = (raw: RawResult, serverInfo: Implementation): string | readonly Buffer[] => {
  const own = raw.textOf('_meta')
  const meta = own === undefined ? metaText(serverInfo) : `"_meta":${modernMeta(own, serverInfo)}}`
  return around(raw.has('resultType') ? '{' : '{"resultType":"complete",', raw.without(metaOnly), `,${meta}`)
}

const metaOnly = ['_meta']

/** A source says the same of itself in each of its results, so the last one read is nearly always the next. */
const createMetaReader = (write: (meta: JsonObject | undefined, serverInfo?: Implementation) => string) => {
  let known = { own: '', serverInfo: undefined as Implementation | undefined, text: '' }
  return (own: string, serverInfo?: Implementation): string => {
    if (known.own === own && known.serverInfo === serverInfo) return known.text
    const text = write(metaOf({ _meta: JSON.parse(own) as JsonValue }), serverInfo)
    if (own.length <= longestKept) known = { own, serverInfo, text }
    return text
  }
}

const longestKept = 4096

const modernMeta = createMetaReader((meta, serverInfo) => JSON.stringify(stampResult(meta, serverInfo!)))

const around = (head: string, members: string | readonly Buffer[], tail: string): string | readonly Buffer[] =>
  typeof members === 'string' ? `${head}${members}${tail}` : [Buffer.from(head), ...members, Buffer.from(tail)]

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

/** The same of a result that came as bytes; see `modernRawResult`. */
export const legacyRawResult = (raw: RawResult, outputSchema?: JsonObject): string | readonly Buffer[] => {
  const mustWrap = raw.has('structuredContent') && !isLegacyStructure(raw, outputSchema)
  if (mustWrap) return JSON.stringify(legacyToolResult(raw.value, outputSchema))
  const own = raw.textOf('_meta')
  const meta = own === undefined ? '' : legacyMeta(own)
  return around('{', raw.without(modernOnly), meta === '' ? '}' : `,"_meta":${meta}}`)
}

const modernOnly = ['resultType', 'ttlMs', 'cacheScope', '_meta']

const isLegacyStructure = (raw: RawResult, outputSchema: JsonObject | undefined): boolean =>
  raw.begins('structuredContent', '{') && (outputSchema === undefined || isObjectSchema(outputSchema))

const legacyMeta = createMetaReader((meta) => {
  const left = stripReserved(meta)
  return left ? JSON.stringify(left) : ''
})

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

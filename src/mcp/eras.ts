import type { JsonObject } from '../model/json.js'
import { type HeaderBag, headerOf } from './headers.js'
import { metaKeys, metaOf } from './message.js'
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

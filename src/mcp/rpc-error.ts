import type { Era } from './eras.js'

/** The JSON-RPC codes we send, by name (MCP 2026-07-28, errors). Codes -32000..-32019 are legacy: understood, never sent. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** Of 2025-11-25 alone: somebody has to go to an address first. */
  urlElicitationRequired: -32042,
} as const

// Anything absent rides on 200: several clients take a 4xx for a dead session, so a coded error must not look like one.
const modernStatus: ReadonlyMap<number, number> = new Map([
  [rpcCodes.parseError, 400],
  [rpcCodes.invalidRequest, 400],
  [rpcCodes.methodNotFound, 404],
  [rpcCodes.headerMismatch, 400],
  [rpcCodes.missingCapability, 400],
  [rpcCodes.unsupportedVersion, 400],
])

const legacyStatus: ReadonlyMap<number, number> = new Map([
  [rpcCodes.parseError, 400],
  [rpcCodes.invalidRequest, 400],
  [rpcCodes.unsupportedVersion, 400],
])

/** The HTTP status an error travels with. The same code may differ by era: a legacy client reads 404 as "session lost". */
export const httpStatusOf = (code: number, era: Era): number =>
  (era === 'modern' ? modernStatus : legacyStatus).get(code) ?? 200

/** A request id as JSON-RPC and MCP allow it. */
export type RpcId = string | number

export interface RpcErrorExtras {
  readonly data?: unknown
  /** Overrides the table where a case has a status of its own (a missing `_meta` key: 400; a body too large: 413). */
  readonly httpStatus?: number | undefined
  /** The id of the refused message when it could be read; null when not. */
  readonly id?: RpcId | null | undefined
  readonly cause?: unknown
}

/** A JSON-RPC error: one we answer with, or one that the other side answered, code and data kept. */
export class RpcError extends Error {
  override readonly name: string = 'RpcError'
  readonly code: number
  readonly data: unknown
  readonly httpStatus: number
  readonly id: RpcId | null

  constructor(code: number, message: string, extras: RpcErrorExtras = {}) {
    super(message, 'cause' in extras ? { cause: extras.cause } : undefined)
    this.code = code
    this.data = extras.data
    this.httpStatus = extras.httpStatus ?? httpStatusOf(code, 'modern')
    this.id = extras.id ?? null
  }
}

/** By shape, since `instanceof` fails when two copies of a package meet. */
export const isRpcError = (error: unknown): error is RpcError =>
  error instanceof Error && error.name === 'RpcError' && 'code' in error && typeof error.code === 'number'

/** Codes that only a server of the modern era sends: seeing one proves the era, whatever else failed. */
export const isModernCode = (code: number): boolean =>
  code === rpcCodes.headerMismatch || code === rpcCodes.missingCapability || code === rpcCodes.unsupportedVersion

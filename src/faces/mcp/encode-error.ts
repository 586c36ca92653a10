import { type ErrorCode, type GatewayError, isGatewayError } from '../../errors.js'
import { httpStatus } from '../../http/status.js'
import type { Era } from '../../mcp/eras.js'
import { isRpcError, RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { ToolResult } from '../../model/result.js'

/**
 * Where each failure shows. `tool` is a result with isError, which the model reads and can act on; a number is a
 * JSON-RPC error, which only the client's program sees. A new code fails the type-check here until it has an answer.
 */
const shownAs: Readonly<Record<ErrorCode, 'tool' | number>> = {
  TOOL_NOT_FOUND: rpcCodes.invalidParams,
  NOT_OFFERED: rpcCodes.invalidParams,
  ACCESS_DENIED: 'tool',
  APPROVAL_REQUIRED: 'tool',
  APPROVAL_DENIED: 'tool',
  SIGN_IN_REQUIRED: 'tool',
  SIGN_IN_FAILED: 'tool',
  ISSUER_UNAVAILABLE: 'tool',
  CREDENTIAL_UNREADABLE: rpcCodes.internalError,
  ARGUMENTS_INVALID: 'tool',
  TOOL_FAILED: 'tool',
  TOOL_NOT_CALLABLE: 'tool',
  TOOL_HELD: 'tool',
  TOOL_ASYNC_ONLY: 'tool',
  TOOL_INVALID: 'tool',
  TOOL_CONFLICT: 'tool',
  NAME_COLLISION: 'tool',
  SCHEMA_INVALID: 'tool',
  SCHEMA_UNSUPPORTED: 'tool',
  RESULT_INVALID: 'tool',
  RESULT_TOO_LARGE: 'tool',
  LIST_TOO_LARGE: rpcCodes.internalError,
  DEADLINE_EXCEEDED: 'tool',
  CALL_CANCELLED: rpcCodes.internalError,
  RATE_LIMITED: 'tool',
  QUOTA_EXCEEDED: 'tool',
  OVERLOADED: 'tool',
  LOOP_DETECTED: 'tool',
  SECRET_REFUSED: 'tool',
  SCRIPT_INVALID: 'tool',
  SCRIPT_FAILED: 'tool',
  SCRIPT_LIMIT: 'tool',
  PLUGIN_FAILED: 'tool',
  CIRCUIT_OPEN: 'tool',
  SOURCE_UNAVAILABLE: 'tool',
  SOURCE_NOT_FOUND: 'tool',
  SOURCE_START_FAILED: 'tool',
  SOURCE_STOP_FAILED: 'tool',
  SOURCE_INVALID: 'tool',
  CONFIG_CONFLICT: 'tool',
  SOURCE_CONFLICT: 'tool',
  MCP_UNAVAILABLE: 'tool',
  GATEWAY_LOST: rpcCodes.internalError,
  FLEET_NAME_TAKEN: rpcCodes.internalError,
  FLEET_SECRET_DIFFERS: rpcCodes.internalError,
  CONFIG_UNREADABLE: rpcCodes.internalError,
  CONFIG_UNTRUSTED: rpcCodes.internalError,
  CONFIG_INVALID: rpcCodes.internalError,
  VARIABLE_UNSET: rpcCodes.internalError,
  STORE_UNREADABLE: rpcCodes.internalError,
  STORE_CORRUPT: rpcCodes.internalError,
  STORE_WRITE_FAILED: rpcCodes.internalError,
  STORE_UNAVAILABLE: rpcCodes.internalError,
  STORE_TOO_NEW: rpcCodes.internalError,
  INTERNAL: rpcCodes.internalError,
}

/** A failed call as a result, or a thrown JSON-RPC error. */
export const toErrorResult = (error: GatewayError, say = messageOf): ToolResult => {
  const shown = shownAs[error.code]
  if (typeof shown === 'number') throw new RpcError(shown, messageOf(error), { data: { code: error.code } })
  // A result has no place for a code of ours; whoever looks for one of these finds it in the words.
  const code = named.has(error.code) ? `${error.code}: ` : ''
  return { content: [{ type: 'text', text: `${code}${say(error)}` }], isError: true }
}

/** Those that a program may want to tell apart: what to do about them is not in the hands of the model. */
const named: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOOL_HELD',
  'APPROVAL_REQUIRED',
  'APPROVAL_DENIED',
  'SCRIPT_INVALID',
  'SCRIPT_FAILED',
  'SCRIPT_LIMIT',
])

// In the official wording, which clients and the conformance suite look for.
const messageOf = (error: GatewayError): string =>
  error.code === 'TOOL_NOT_FOUND' ? `Unknown tool: ${String(error.details?.tool)}` : error.message

/** What is no refusal is a bug of ours: said without its insides. */
export const toRpcError = (error: unknown): RpcError => {
  if (isRpcError(error)) return error
  return isGatewayError(error) && error.details?.bound !== undefined ? pastBound(error) : unknownError(error)
}

/** Who would pass a bound is told which, by the status as well: 429 for the caller's own, 503 for that of all. */
export const pastBound = ({ code, message, details }: GatewayError, status: number = httpStatus[code]): RpcError =>
  new RpcError(rpcCodes.internalError, message, { data: { code, ...details }, httpStatus: status })

const unknownError = (error: unknown): RpcError =>
  new RpcError(rpcCodes.internalError, 'The gateway failed to answer. Please report this.', { cause: error })

/** `-32002` is how a legacy source says that there is no such resource; the modern era has one code for all of that. */
export const legacyNotFound = -32002

/**
 * A source's own JSON-RPC error, which passes as it is: its code and data may mean something to the client. Behind other
 * failures stands our own parser's complaint about the source, which the client would take for its own fault.
 */
export const ownRefusal = ({ code, cause }: GatewayError, era: Era): RpcError | undefined =>
  code === 'TOOL_FAILED' && isRpcError(cause) ? translated(cause, era) : undefined

/** A source's JSON-RPC error for a client of this era. */
export const translated = (error: RpcError, era: Era): RpcError => {
  const { code, message, data } = error
  if (era === 'modern' && code === legacyNotFound) return new RpcError(rpcCodes.invalidParams, message, { data })
  // It has an HTTP status of its own in the modern era, which clients look at.
  if (era === 'modern' && code === rpcCodes.missingCapability) return new RpcError(code, message, { data })
  if (era === 'legacy' && code !== rpcCodes.urlElicitationRequired && code <= rpcCodes.headerMismatch && code >= -32099)
    return new RpcError(rpcCodes.invalidRequest, message, { data, httpStatus: 200 })
  return new RpcError(code, message, { data, httpStatus: 200 })
}

import type { ErrorCode } from '../errors.js'

/** The HTTP status of every code, for the faces that speak plain HTTP. A new code fails the type-check until it has one. */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  // The operator's own files: not the caller's fault.
  CONFIG_UNREADABLE: 500,
  STORE_UNREADABLE: 500,
  STORE_CORRUPT: 500,
  STORE_WRITE_FAILED: 500,
  STORE_TOO_NEW: 500,
  SOURCE_STOP_FAILED: 500,
  LIST_TOO_LARGE: 500,
  INTERNAL: 500,
  // During a request these come only from what the request carried.
  CONFIG_INVALID: 400,
  VARIABLE_UNSET: 400,
  SOURCE_INVALID: 400,
  TOOL_INVALID: 400,
  ARGUMENTS_INVALID: 400,
  SCHEMA_INVALID: 400,
  SCHEMA_UNSUPPORTED: 422,
  ACCESS_DENIED: 403,
  TOOL_NOT_FOUND: 404,
  SOURCE_NOT_FOUND: 404,
  SOURCE_CONFLICT: 409,
  TOOL_CONFLICT: 409,
  NAME_COLLISION: 409,
  TOOL_NOT_CALLABLE: 409,
  TOOL_ASYNC_ONLY: 409,
  RATE_LIMITED: 429,
  // Nobody reads it: the client went away. The number of nginx's logs, so that dashboards know it.
  CALL_CANCELLED: 499,
  TOOL_FAILED: 502,
  RESULT_INVALID: 502,
  RESULT_TOO_LARGE: 502,
  SOURCE_START_FAILED: 502,
  MCP_UNAVAILABLE: 502,
  GATEWAY_LOST: 502,
  SOURCE_UNAVAILABLE: 503,
  CIRCUIT_OPEN: 503,
  OVERLOADED: 503,
  DEADLINE_EXCEEDED: 504,
  LOOP_DETECTED: 508,
}

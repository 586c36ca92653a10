/**
 * What can go wrong, each with its number of document 001 (001-13): several share one where that document knows one case only.
 * Codes are stable strings and part of the API; `docs/errors.md` explains each.
 */
export const errorNumbers = {
  CONFIG_UNREADABLE: 1001,
  CONFIG_INVALID: 1002,
  CONFIG_UNTRUSTED: 1001,
  CONFIG_CONFLICT: 1002,
  VARIABLE_UNSET: 1003,
  SOURCE_INVALID: 1002,
  SOURCE_CONFLICT: 1002,
  SOURCE_START_FAILED: 2001,
  SOURCE_STOP_FAILED: 2002,
  SOURCE_NOT_FOUND: 2004,
  SOURCE_UNAVAILABLE: 2005,
  CIRCUIT_OPEN: 2005,
  DEADLINE_EXCEEDED: 2003,
  CALL_CANCELLED: 3002,
  TOOL_INVALID: 3002,
  TOOL_CONFLICT: 3002,
  TOOL_NOT_FOUND: 3001,
  NOT_OFFERED: 3001,
  TOOL_NOT_CALLABLE: 3002,
  TOOL_HELD: 3002,
  TOOL_ASYNC_ONLY: 3002,
  TOOL_FAILED: 3002,
  NAME_COLLISION: 1002,
  ARGUMENTS_INVALID: 3002,
  SCHEMA_INVALID: 3002,
  SCHEMA_UNSUPPORTED: 3002,
  RESULT_INVALID: 3002,
  RESULT_TOO_LARGE: 3003,
  LIST_TOO_LARGE: 3004,
  ACCESS_DENIED: 4002,
  APPROVAL_REQUIRED: 4002,
  APPROVAL_DENIED: 4002,
  SIGN_IN_REQUIRED: 4001,
  SIGN_IN_FAILED: 4001,
  ISSUER_UNAVAILABLE: 2005,
  CREDENTIAL_UNREADABLE: 1001,
  RATE_LIMITED: 3002,
  QUOTA_EXCEEDED: 3002,
  OVERLOADED: 3002,
  LOOP_DETECTED: 3002,
  SECRET_REFUSED: 3002,
  PLUGIN_FAILED: 3002,
  SCRIPT_INVALID: 3002,
  SCRIPT_FAILED: 3002,
  SCRIPT_LIMIT: 3002,
  STORE_UNREADABLE: 1001,
  STORE_CORRUPT: 1001,
  STORE_WRITE_FAILED: 5000,
  STORE_TOO_NEW: 1001,
  STORE_UNAVAILABLE: 5000,
  MCP_UNAVAILABLE: 2001,
  GATEWAY_LOST: 2005,
  FLEET_NAME_TAKEN: 1002,
  FLEET_SECRET_DIFFERS: 1002,
  INTERNAL: 5000,
} as const

export type ErrorCode = keyof typeof errorNumbers

export const errorCodes = Object.keys(errorNumbers) as readonly ErrorCode[]

export interface ErrorExtras {
  /** Facts for programs: paths, limits, names. Never arguments, never secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
  /** The request surely never reached the tool, so asking again cannot run it twice. */
  readonly notSent?: boolean | undefined
  readonly retryAfterMs?: number | undefined
}

/** We could not get an answer. A tool that answers "no" is a result, not this. */
export class GatewayError extends Error {
  override readonly name: string = 'GatewayError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly notSent: boolean
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, 'cause' in extras ? { cause: extras.cause } : undefined)
    this.code = code
    this.details = extras.details
    this.notSent = extras.notSent ?? false
    this.retryAfterMs = extras.retryAfterMs
  }

  /** The number of document 001 for this code. */
  get number(): number {
    return errorNumbers[this.code]
  }

  toJSON(): Record<string, unknown> {
    return { code: this.code, message: this.message, details: this.details }
  }
}

/** By name and code, since `instanceof` fails when two copies of a package meet. */
export const isGatewayError = (error: unknown): error is GatewayError =>
  error instanceof Error &&
  'code' in error &&
  (errorCodes as readonly unknown[]).includes(error.code) &&
  'number' in error

/** What document 000 promises for a name nobody registered. */
export class KeyError extends Error {
  override readonly name: string = 'KeyError'
}

/** What document 000's `execute` promises for a request it cannot read. */
export class ValueError extends Error {
  override readonly name: string = 'ValueError'
}

/** What document 000 promises where a list forbids the call. */
export class PermissionDenied extends Error {
  override readonly name: string = 'PermissionDenied'
}

/** The words of whatever was thrown: tools throw strings, plain objects and nothing at all. */
export const messageOf = (thrown: unknown): string => {
  if (thrown instanceof Error) return thrown.message || thrown.name
  if (typeof thrown === 'string') return thrown
  if (thrown === undefined || thrown === null) return `the tool threw ${thrown}`
  try {
    return JSON.stringify(thrown) ?? String(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

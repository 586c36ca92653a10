import { type ErrorCode as GatewayCode, GatewayError, isGatewayError, messageOf } from '../../errors.js'

const numbers = {
  CONFIG_LOAD_ERROR: 1001,
  CONFIG_VALIDATION_ERROR: 1002,
  CONFIG_ENV_VAR_MISSING: 1003,
  SERVICE_START_ERROR: 2001,
  SERVICE_STOP_ERROR: 2002,
  SERVICE_TIMEOUT_ERROR: 2003,
  SERVICE_NOT_FOUND: 2004,
  SERVICE_UNHEALTHY: 2005,
  TOOL_NOT_FOUND: 3001,
  TOOL_CALL_ERROR: 3002,
  TOOL_RESULT_TOO_LARGE: 3003,
  TOOL_LIST_TOO_LARGE: 3004,
  WEBSOCKET_CONNECTION_ERROR: 4001,
  WEBSOCKET_AUTH_ERROR: 4002,
  WEBSOCKET_TIMEOUT: 4003,
  UNKNOWN_ERROR: 5000,
} as const

type Numbers = typeof numbers
type Names = { readonly [Name in keyof Numbers as Numbers[Name]]: Name }

/** Document 001's codes (001-13), both ways as its enum has them: the number by name, the name by number. */
export const ErrorCode: Numbers & Names = Object.freeze({
  ...numbers,
  ...(Object.fromEntries(Object.entries(numbers).map(([name, number]) => [number, name])) as unknown as Names),
})

export type ErrorCode = Numbers[keyof Numbers]

/** What this face throws (001-14). `cause` holds the gateway's own error where there is one. */
export class MCPAgentError extends Error {
  override readonly name: string = 'MCPAgentError'
  readonly code: ErrorCode
  readonly details: any

  constructor(code: ErrorCode, message: string, details?: any, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** By name, since `instanceof` fails when two copies of a package meet. */
export const isMCPAgentError = (error: unknown): error is MCPAgentError =>
  error instanceof Error && error.name === 'MCPAgentError' && 'code' in error && typeof error.code === 'number'

/** Whatever was thrown, in this face's dialect; `otherwise` for what carries no code of ours. */
export const toAgentError = (error: unknown, otherwise: ErrorCode): MCPAgentError => {
  if (isMCPAgentError(error)) return error
  if (!isGatewayError(error)) return new MCPAgentError(otherwise, messageOf(error), undefined, { cause: error })
  // An adapter's own error went through the call path inside of ours; it comes out as it went in.
  if (error.code !== 'TOOL_FAILED' && isMCPAgentError(error.cause)) return error.cause
  const details = { code: error.code, ...error.details }
  return new MCPAgentError(error.number as ErrorCode, error.message, details, { cause: error })
}

// What says that the service itself is not there; anything else an adapter throws is a tool that failed.
const serviceCodes: ReadonlyMap<number, GatewayCode> = new Map<number, GatewayCode>([
  [ErrorCode.SERVICE_START_ERROR, 'SOURCE_START_FAILED'],
  [ErrorCode.SERVICE_TIMEOUT_ERROR, 'DEADLINE_EXCEEDED'],
  [ErrorCode.SERVICE_NOT_FOUND, 'SOURCE_NOT_FOUND'],
  [ErrorCode.SERVICE_UNHEALTHY, 'SOURCE_UNAVAILABLE'],
  [ErrorCode.TOOL_NOT_FOUND, 'TOOL_NOT_FOUND'],
])

/** What an adapter threw, so that the call path (its breaker, its records) understands it. */
export const fromAdapterError = (error: unknown): unknown => {
  const code = isMCPAgentError(error) ? serviceCodes.get(error.code) : undefined
  return code ? new GatewayError(code, (error as Error).message, { cause: error }) : error
}

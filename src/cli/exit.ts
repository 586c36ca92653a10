import { type ErrorCode, isGatewayError, messageOf } from '../errors.js'

/** What a script can rely on; listed in docs/cli.md. */
export const exitCodes = { ok: 0, failed: 1, notFound: 2, auth: 3, unreachable: 4, toolError: 5, config: 6 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command that ends with a code of its own and has said why. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}

const byCode: Partial<Record<ErrorCode, ExitCode>> = {
  TOOL_NOT_FOUND: exitCodes.notFound,
  SOURCE_NOT_FOUND: exitCodes.notFound,
  ACCESS_DENIED: exitCodes.auth,
  SOURCE_UNAVAILABLE: exitCodes.unreachable,
  SOURCE_START_FAILED: exitCodes.unreachable,
  DEADLINE_EXCEEDED: exitCodes.unreachable,
  CIRCUIT_OPEN: exitCodes.unreachable,
  TOOL_FAILED: exitCodes.toolError,
  CONFIG_INVALID: exitCodes.config,
  CONFIG_UNREADABLE: exitCodes.config,
  VARIABLE_UNSET: exitCodes.config,
}

/** Says what went wrong on stderr, as JSON for programs, and gives the code to end with. */
export const reportFailure = (error: unknown, json: boolean): ExitCode => {
  const message = messageOf(error)
  const code = isGatewayError(error) ? error.code : undefined
  process.stderr.write(
    json ? `${JSON.stringify({ error: { ...(code ? { code } : {}), message } })}\n` : `pegboard: ${message}\n`,
  )
  if (error instanceof CommandFailed) return error.exitCode
  return (code && byCode[code]) ?? exitCodes.failed
}

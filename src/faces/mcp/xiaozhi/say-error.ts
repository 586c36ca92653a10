import type { ErrorCode, GatewayError } from '../../../errors.js'
import { wholeHead } from '../../../model/fit/fit-text.js'

/** Above this nobody listens any more. */
const spokenBytes = 240

/** A failure in one sentence that can be read aloud: what did not work, and whether to try again. */
export const sayError = (error: GatewayError): string => {
  const tool = typeof error.details?.tool === 'string' ? error.details.tool : 'The tool'
  return wholeHead(spoken[error.code]?.(tool) ?? error.message, spokenBytes)
}

const unreachable = (tool: string): string => `${tool} cannot be reached right now. Try again later.`

// The rest say in their own words what the model has to change, such as a wrong argument.
const spoken: Partial<Readonly<Record<ErrorCode, (tool: string) => string>>> = {
  DEADLINE_EXCEEDED: (tool) => `${tool} takes too long and was not waited for. It may still finish.`,
  SOURCE_UNAVAILABLE: unreachable,
  SOURCE_START_FAILED: unreachable,
  SOURCE_NOT_FOUND: unreachable,
  CIRCUIT_OPEN: unreachable,
  MCP_UNAVAILABLE: unreachable,
  GATEWAY_LOST: unreachable,
  OVERLOADED: (tool) => `${tool} is busy. Try again in a moment.`,
  RATE_LIMITED: () => 'Too many calls in a short time. Wait a moment.',
  ACCESS_DENIED: (tool) => `${tool} is not allowed here.`,
  LOOP_DETECTED: (tool) => `${tool} keeps calling itself and was stopped.`,
}

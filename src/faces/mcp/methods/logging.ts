import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { EncodedResult, Exchange } from '../exchange.js'

/** `logging/setLevel`, legacy only: from which severity on this session hears of its own calls. */
export const setLevel = ({ request, session }: Exchange): EncodedResult => {
  const level = parseLevel(request.params?.level)
  if (session && session.logLevel !== level) {
    session.logLevel = level
    session.keep({ level })
  }
  return '{}'
}

/** The severities of RFC 5424, least first, as MCP names them. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** Does someone who wants `wanted` and worse want this? What has no known level is let through: it may matter. */
export const isWanted = (level: unknown, wanted: string): boolean => {
  const at = (levels as readonly unknown[]).indexOf(level)
  return at < 0 || at >= (levels as readonly string[]).indexOf(wanted)
}

export const isLevel = (level: unknown): level is string => (levels as readonly unknown[]).includes(level)

const parseLevel = (level: unknown): string => {
  if (isLevel(level)) return level
  throw new RpcError(rpcCodes.invalidParams, `\`level\` must be one of ${levels.join(', ')}.`)
}

import type { Gateway } from '../../../gateway.js'
import { type Implementation, metaOf } from '../../../mcp/meta.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { notificationText } from '../../../mcp/serialise.js'
import { legacyToolResult, modernResult } from '../../../mcp/server/project.js'
import { toToolResult } from '../../../model/answer.js'
import type { Progress } from '../../../model/call.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import type { ToolResult } from '../../../model/result.js'
import { toErrorResult } from '../encode-error.js'
import type { Exchange, Reply } from '../exchange.js'
import type { ProfileSettings } from '../profile.js'
import type { Views } from '../view.js'

/** `tools/call`: decode, ask the gateway, encode. */
export const callTool = async (
  gateway: Gateway,
  views: Views,
  serverInfo: Implementation,
  exchange: Exchange,
): Promise<Reply> => {
  const { name, arguments: args = {} } = readParams(exchange)
  const tool = views.find(exchange, name)
  const meta = metaOf(exchange.request.params)
  const onProgress = progressTo(exchange, meta?.progressToken)
  const { maxResultBytes, timeoutMs, sayError } = exchange.profile
  const outcome = await gateway.call({
    // An unknown name goes in as it is, so that the refusal is recorded like any other.
    tool: tool?.id ?? name,
    args,
    caller: exchange.caller,
    signal: exchange.signal,
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: Math.min(timeoutMs, tool?.timeoutMs ?? timeoutMs) }),
    ...(onProgress ? { onProgress } : {}),
    ...(meta ? { meta } : {}),
  })
  const result = resultOf(outcome, sayError) as unknown as JsonObject
  return JSON.stringify(
    exchange.sender.era === 'modern'
      ? modernResult(result, { serverInfo })
      : legacyToolResult(result, tool?.definition.outputSchema),
  )
}

const readParams = ({ request: { params } }: Exchange): { readonly name: string; readonly arguments?: unknown } => {
  if (typeof params?.name !== 'string' || params.name === '')
    throw new RpcError(rpcCodes.invalidParams, 'tools/call needs `name`, the name of a tool, in its params.')
  return params as { name: string; arguments?: unknown }
}

const resultOf = (outcome: Outcome, sayError: ProfileSettings['sayError']): ToolResult => {
  if (!outcome.ok) return toErrorResult(outcome.error, sayError)
  return toToolResult(outcome.answer)
}

/** Values must rise and end with the call; the call path ends them, this keeps them rising. */
const progressTo = (exchange: Exchange, token: unknown): ((progress: Progress) => void) | undefined => {
  if (typeof token !== 'string' && typeof token !== 'number') return undefined
  let last = Number.NEGATIVE_INFINITY
  return (progress) => {
    if (!(progress.progress > last)) return
    last = progress.progress
    exchange.notify(notificationText('notifications/progress', { progressToken: token, ...progress }))
  }
}

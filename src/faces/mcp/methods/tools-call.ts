import { isGatewayError } from '../../../errors.js'
import type { Gateway } from '../../../gateway.js'
import { type Implementation, metaOf } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { legacyToolResult, modernResultText } from '../../../mcp/server/project.js'
import { toToolResult } from '../../../model/answer.js'
import type { Found } from '../../../model/call.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import type { ToolResult } from '../../../model/result.js'
import type { Tool } from '../../../model/tool.js'
import type { Converse, WorkContext } from '../asking/converse.js'
import { toErrorResult } from '../encode-error.js'
import type { Exchange, Reply } from '../exchange.js'
import { ownRefusal, timeFor } from '../surface/desk.js'
import type { TaskIds } from '../surface/task-ids.js'
import type { Views } from '../view.js'

export interface ToolCalls {
  readonly gateway: Gateway
  readonly views: Views
  readonly converse: Converse
  readonly taskIds: TaskIds
  readonly serverInfo: Implementation
}

/** `tools/call`: decode, ask the gateway, encode. Not async: see `Converse`. */
export const callTool = (calls: ToolCalls, exchange: Exchange): Promise<Reply> => {
  const { name, arguments: args = {} } = readParams(exchange)
  const found = exchange.found ?? calls.views.resolve(exchange, name)
  const encode = (result: JsonObject): Reply => encoded(calls, exchange, found.tool, result)
  const fail = (error: unknown): Reply => {
    if (isGatewayError(error)) return encode(toErrorResult(error, exchange.profile.sayError) as unknown as JsonObject)
    throw error
  }
  try {
    return calls.converse
      .run(exchange, name, (context) => work(calls, exchange, found, name, args, context))
      .then(encode, fail)
  } catch (error) {
    return Promise.resolve(fail(error))
  }
}

const encoded = ({ serverInfo }: ToolCalls, exchange: Exchange, tool: Tool | undefined, result: JsonObject): Reply =>
  exchange.sender.era === 'legacy'
    ? JSON.stringify(legacyToolResult(result, tool?.definition.outputSchema))
    : modernResultText(result, serverInfo)

const work = (
  { gateway, taskIds }: ToolCalls,
  exchange: Exchange,
  found: Found,
  name: string,
  args: unknown,
  { asking, signal, onProgress }: WorkContext,
): Promise<JsonObject> => {
  const { maxResultBytes, timeoutMs } = exchange.profile
  const { tool } = found
  const outcome = gateway.call({
    // As it was written, found or not: a refusal is recorded like any other, and says nothing of what it did not find.
    tool: name,
    found,
    args,
    caller: exchange.caller,
    signal,
    asking,
    maxResultBytes,
    timeoutMs: timeFor(timeoutMs, found),
    onProgress,
    meta: metaOf(exchange.request.params),
  })
  return outcome.then((ended) =>
    unfinished(resultOf(ended, exchange) as unknown as JsonObject, (taskId) =>
      taskIds.toShown(exchange, tool?.source ?? '', taskId),
    ),
  )
}

/** `input_required` and tasks have no content; a task's id is its owner's alone. */
const unfinished = (result: JsonObject, toShown: (taskId: string) => string): JsonObject => {
  if (result.resultType === undefined || result.resultType === 'complete') return result
  const { content: _, ...rest } = result
  return typeof rest.taskId === 'string' ? { ...rest, taskId: toShown(rest.taskId) } : rest
}

const readParams = ({ request: { params } }: Exchange): { readonly name: string; readonly arguments?: unknown } => {
  if (typeof params?.name !== 'string' || params.name === '')
    throw new RpcError(rpcCodes.invalidParams, 'tools/call needs `name`, the name of a tool, in its params.')
  return params as { name: string; arguments?: unknown }
}

const resultOf = (outcome: Outcome, { profile, sender }: Exchange): ToolResult => {
  if (outcome.ok) return toToolResult(outcome.answer)
  const own = ownRefusal(outcome.error, sender.era)
  if (own) throw own
  return toErrorResult(outcome.error, profile.sayError)
}

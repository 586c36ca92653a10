import { isGatewayError } from '../../../errors.js'
import type { Gateway, Naming } from '../../../gateway.js'
import type { Era } from '../../../mcp/eras.js'
import { legacyToolResult, modernResultText } from '../../../mcp/eras.js'
import { type Implementation, metaOf } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { toToolResult } from '../../../model/answer.js'
import type { Found } from '../../../model/call.js'
import type { CancelSignal } from '../../../model/cancel.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import type { ToolResult } from '../../../model/result.js'
import type { Tool } from '../../../model/tool.js'
import { Talk, type Talks } from '../asking/talk.js'
import { ownRefusal, toErrorResult } from '../encode-error.js'
import type { Client, EncodedResult, Exchange } from '../exchange.js'
import type { TaskIds } from '../surface/task-ids.js'
import type { ViewOf } from '../view.js'

export interface ToolCalls {
  readonly gateway: Gateway
  readonly resolve: ToolLookup
  readonly talks: Talks
  readonly taskIds: TaskIds
  readonly serverInfo: Implementation
}

/** The tool a client means: by the name it was shown, or by canonical id. Looked up and judged once per request. */
export type ToolLookup = (client: Client, name: string) => Found

type Look = (name: string) => Tool | undefined

export const createToolLookup = (gateway: Gateway, viewOf: ViewOf): ToolLookup => {
  // Profiles are few and live long; a closure per call would not be worth it. Each is made where no request can be seen: what
  // a closure keeps is its whole scope, and the first request of a profile would stay, with its connection, as long as that.
  const looks = new WeakMap<Naming, Look>()
  const byNaming =
    (naming: Naming): Look =>
    (name) =>
      gateway.catalog.find(name, naming)
  const bare =
    (client: Client): Look =>
    (name) =>
      viewOf(client).findBare(name) ?? gateway.catalog.find(name, client.profile.naming)
  const lookFor = (client: Client): Look => {
    const { naming } = client.profile
    if (!naming.namespacing) return bare(client)
    let known = looks.get(naming)
    if (!known) looks.set(naming, (known = byNaming(naming)))
    return known
  }
  return (client, name) => gateway.resolve(name, client.caller, lookFor(client))
}

/** `tools/call`: decode, ask the gateway, encode. Not async: a promise returned from an async function costs three more turns. */
export const callTool = (calls: ToolCalls, exchange: Exchange): Promise<EncodedResult> => {
  const { name, arguments: args = {} } = readParams(exchange)
  const found = exchange.found ?? calls.resolve(exchange, name)
  const talk = calls.talks.open(exchange, name)
  const result = talk instanceof Talk ? talk.until(resultOf(calls, exchange, found, name, args, talk)) : talk
  return result.then(
    (each) => encoded(calls, exchange, found.tool, each),
    (error) => {
      if (!isGatewayError(error)) throw error
      const told = toErrorResult(error, exchange.profile.sayError) as unknown as JsonObject
      return encoded(calls, exchange, found.tool, told)
    },
  )
}

/** A call whose client nobody can ask anything, for a carrier that encodes by itself. */
export interface DirectCall {
  /** As its client wrote it. */
  readonly name: unknown
  readonly args: unknown
  readonly meta?: JsonObject | undefined
  readonly signal: CancelSignal
}

/** Its result as a legacy client may see it. */
export const callDirectly = async (
  { gateway, resolve }: Pick<ToolCalls, 'gateway' | 'resolve'>,
  client: Client,
  { args = {}, meta, signal, ...asked }: DirectCall,
): Promise<ToolResult> => {
  const name = checkToolName(asked.name)
  const { caller, profile } = client
  const found = resolve(client, name)
  const { maxResultBytes } = profile
  const timeoutMs = timeFor(profile.timeoutMs, found)
  const outcome = await gateway.call({ tool: name, found, args, caller, signal, maxResultBytes, timeoutMs, meta })
  const result = toResult(outcome, client, 'legacy') as unknown as JsonObject
  return legacyToolResult(result, found.tool?.definition.outputSchema) as unknown as ToolResult
}

const encoded = (
  { serverInfo }: ToolCalls,
  exchange: Exchange,
  tool: Tool | undefined,
  result: JsonObject,
): EncodedResult =>
  exchange.sender.era === 'legacy'
    ? JSON.stringify(legacyToolResult(result, tool?.definition.outputSchema))
    : modernResultText(result, serverInfo)

const resultOf = (
  { gateway, taskIds }: ToolCalls,
  exchange: Exchange,
  found: Found,
  name: string,
  args: unknown,
  talk: Talk,
): Promise<JsonObject> => {
  const { caller, profile } = exchange
  const outcome = gateway.call({
    // As it was written, found or not: a refusal is recorded like any other, and says nothing of what it did not find.
    tool: name,
    found,
    args,
    caller,
    signal: talk.signal,
    asking: talk.asking,
    maxResultBytes: profile.maxResultBytes,
    timeoutMs: timeFor(profile.timeoutMs, found),
    onProgress: talk.onProgress,
    meta: metaOf(exchange.request.params),
  })
  return outcome.then((ended) => {
    const result = toResult(ended, exchange, exchange.sender.era) as unknown as JsonObject
    return talk.sealed(unfinished(result, (taskId) => taskIds.toShown(exchange, found.tool?.source ?? '', taskId)))
  })
}

/** A profile's time is that of the other side, who waits no longer; a shorter one of the source stays. */
export const timeFor = (profileMs: number | undefined, { tool, offer }: Found): number | undefined =>
  profileMs === undefined ? undefined : Math.min(profileMs, (tool ?? offer)?.timeoutMs ?? profileMs)

/** `input_required` and tasks have no content; a task's id is its owner's alone. */
const unfinished = (result: JsonObject, toShown: (taskId: string) => string): JsonObject => {
  if (result.resultType === undefined || result.resultType === 'complete') return result
  const { content: _, ...rest } = result
  return typeof rest.taskId === 'string' ? { ...rest, taskId: toShown(rest.taskId) } : rest
}

const readParams = ({ request: { params } }: Exchange): { readonly name: string; readonly arguments?: unknown } => ({
  name: checkToolName(params?.name),
  arguments: params?.arguments,
})

const checkToolName = (name: unknown): string => {
  if (typeof name === 'string' && name !== '') return name
  throw new RpcError(rpcCodes.invalidParams, 'tools/call needs `name`, the name of a tool, in its params.')
}

const toResult = (outcome: Outcome, { profile }: Client, era: Era): ToolResult => {
  if (outcome.ok) return toToolResult(outcome.answer)
  const own = ownRefusal(outcome.error, era)
  if (own) throw own
  return toErrorResult(outcome.error, profile.sayError)
}

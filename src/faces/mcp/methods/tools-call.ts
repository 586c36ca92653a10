import { type GatewayError, isGatewayError } from '../../../errors.js'
import type { Gateway, Naming, WorkResult } from '../../../gateway.js'
import type { Era } from '../../../mcp/eras.js'
import { legacyRawResult, legacyToolResult, modernRawResult, modernResultText } from '../../../mcp/eras.js'
import { type Implementation, metaOf } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { toToolResult } from '../../../model/answer.js'
import type { Call, CallOrigin, Found } from '../../../model/call.js'
import { Cancel, type CancelSignal } from '../../../model/cancel.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import { RawResult } from '../../../model/raw-result.js'
import type { ToolResult } from '../../../model/result.js'
import type { Tool } from '../../../model/tool.js'
import type { ApprovalDoor, ApprovalQuestion, BegunTask } from '../asking/approval-question.js'
import type { SignInDoor } from '../asking/sign-in-question.js'
import { Talk, type Talks } from '../asking/talk.js'
import { ownRefusal, toErrorResult } from '../encode-error.js'
import type { Client, EncodedResult, Exchange } from '../exchange.js'
import { originOf } from '../origin.js'
import { withReadOnLink } from '../read-on-link.js'
import type { ViewOf } from '../view.js'
import { declaresTasks, type OwnTasks } from './tasks.js'

export interface ToolCalls {
  readonly gateway: Gateway
  readonly resolve: ToolLookup
  readonly talks: Talks
  readonly tasks: OwnTasks
  readonly serverInfo: Implementation
  /** Where callers sign in for themselves; without it the refusal of a source goes out as it is. */
  readonly signInDoor?: SignInDoor | undefined
  /** Where calls are asked about that a rule wants a yes to; without it the refusal goes out as it is. */
  readonly approvalDoor?: ApprovalDoor | undefined
}

/** The tool a client means: by the name it was shown, or by canonical id. Looked up and judged once per request. */
export type ToolLookup = (client: Client, name: string) => Found

type Look = (name: string) => Tool | undefined

const mostLooks = 1_000

export const createToolLookup = (gateway: Gateway, viewOf: ViewOf): ToolLookup => {
  // Profiles are few and live long; a closure per call would not be worth it. Each is made where no request can be seen: what
  // a closure keeps is its whole scope, and the first request of a profile would stay, with its connection, as long as that.
  const looks = new WeakMap<Naming, Map<string | undefined, Look>>()
  const byNaming =
    (naming: Naming, profile: string | undefined): Look =>
    (name) =>
      gateway.shown(profile).find(name, naming)
  const bare =
    (client: Client): Look =>
    (name) =>
      viewOf(client).findBare(name) ?? gateway.shown(client.caller.profile).find(name, client.profile.naming)
  const remembered = (
    naming: Naming,
    profile: string | undefined,
    known = new Map<string | undefined, Look>(),
  ): Look => {
    const look = byNaming(naming, profile)
    if (known.size < mostLooks) looks.set(naming, known.set(profile, look))
    return look
  }
  const lookFor = (client: Client): Look => {
    const { naming } = client.profile
    if (!naming.namespacing) return bare(client)
    const { profile } = client.caller
    const known = looks.get(naming)
    return known?.get(profile) ?? remembered(naming, profile, known)
  }
  return (client, name) => gateway.resolve(name, client.caller, lookFor(client))
}

/** `tools/call`: decode, ask the gateway, encode. Not async: a promise returned from an async function costs three more turns. */
export const callTool = (calls: ToolCalls, exchange: Exchange): Promise<EncodedResult> => {
  const name = checkToolName(exchange.request.params?.name)
  const found = exchange.found ?? calls.resolve(exchange, name)
  const talk = calls.talks.open(exchange, name)
  // Back with answers, for a call that waits for them.
  if (!(talk instanceof Talk)) return encodedLater(calls, exchange, found, talk)
  const outcome = calls.gateway.call(toCall(exchange, found, name, talk))
  // One turn from the outcome to what goes out, where nobody can be asked in between.
  if (!talk.mayWait)
    return outcome.then((ended) =>
      wantsPerson(calls, ended)
        ? encodedLater(calls, exchange, found, answeredByPerson(calls, exchange, found, name, talk, ended.error))
        : encodedNow(calls, exchange, found, talk, ended),
    )
  const work = outcome.then((ended) =>
    wantsPerson(calls, ended)
      ? answeredByPerson(calls, exchange, found, name, talk, ended.error)
      : resultOf(calls, exchange, talk, ended),
  )
  return encodedLater(calls, exchange, found, talk.until(work))
}

/** It goes on once somebody has done something: signed in at its source, or said yes to it. */
const wantsPerson = (calls: ToolCalls, outcome: Outcome): outcome is Outcome & { readonly ok: false } => {
  if (outcome.ok) return false
  const { code } = outcome.error
  if (code === 'SIGN_IN_REQUIRED') return calls.signInDoor !== undefined
  return code === 'APPROVAL_REQUIRED' && calls.approvalDoor !== undefined
}

/** The result once they have. Loaded when the first is asked: most calls need nobody. */
const answeredByPerson = async (
  calls: ToolCalls,
  exchange: Exchange,
  found: Found,
  name: string,
  talk: Talk,
  refused: GatewayError,
): Promise<WorkResult> => {
  const again = (): Promise<Outcome> => calls.gateway.call(toCall(exchange, found, name, talk))
  const ended = await (refused.code === 'SIGN_IN_REQUIRED'
    ? (await import('../asking/sign-in-question.js')).askToSignIn(
        { door: calls.signInDoor!, exchange, talk, again },
        refused,
      )
    : (await import('../asking/approval-question.js')).askForApproval(
        { door: calls.approvalDoor!, exchange, talk, again, asTask: asTaskFor(calls, exchange, name) },
        refused,
      ))
  if ('task' in ended) return ended.task
  if (isGatewayError(ended)) throw ended
  return resultOf(calls, exchange, talk, ended)
}

/** The call as a task, for a client that declared that it knows them. */
const asTaskFor = (calls: ToolCalls, exchange: Exchange, name: string): ApprovalQuestion['asTask'] => {
  if (!declaresTasks(exchange)) return undefined
  const { caller, profile, request, sender } = exchange
  const standIn = exchange.session ?? exchange.standIn
  // Without the request's connection, which is gone long before the answer.
  return (refused) =>
    beginTask(calls, { caller, profile, request, sender, standIn, signal: neverGone, notify: () => {} }, name, refused)
}

const neverGone: CancelSignal = new Cancel()

const beginTask = async (
  calls: ToolCalls,
  exchange: Exchange,
  name: string,
  { details }: GatewayError,
): Promise<BegunTask | undefined> => {
  const { caller, profile, request } = exchange
  const expiresAt = Date.parse(String(details?.expiresAt))
  if (Number.isNaN(expiresAt)) return undefined
  const task = await calls.tasks.begin(exchange, {
    caller,
    approval: String(details?.approval),
    expiresAt,
    bytes: request.bytes,
    again: (signal) => {
      // Looked up anew: what this caller may call can be something else by now.
      const found = calls.resolve(exchange, name)
      const { params, bytes } = request
      const { maxResultBytes } = profile
      const timeoutMs = timeFor(profile.timeoutMs, found)
      const args = params?.arguments === undefined ? {} : params.arguments
      // Nobody can be asked anything in between, and nothing is said of how far it is.
      const meta = metaOf(params)
      const more = { session: exchange.standIn, from: originOf(exchange), signal, maxResultBytes, timeoutMs, meta }
      return calls.gateway.call({ tool: name, found, args, bytes, caller, ...more })
    },
    toResult: (ended) => {
      if (isGatewayError(ended)) return toErrorResult(ended, profile.sayError) as unknown as JsonObject
      if (ended.ok && ended.answer.raw) return ended.answer.raw.value
      return toResult(ended, exchange, 'modern') as unknown as JsonObject
    },
  })
  return task && { task }
}

const toCall = (exchange: Exchange, found: Found, name: string, talk: Talk): Call => {
  const { caller, profile, request } = exchange
  const { params, bytes } = request
  return {
    // As it was written, found or not: a refusal is recorded like any other, and says nothing of what it did not find.
    tool: name,
    found,
    args: params?.arguments === undefined ? {} : params.arguments,
    bytes,
    caller,
    session: exchange.session ?? exchange.standIn,
    from: originOf(exchange),
    signal: talk.signal,
    asking: talk,
    maxResultBytes: profile.maxResultBytes,
    timeoutMs: timeFor(profile.timeoutMs, found),
    onProgress: talk.onProgress,
    meta: metaOf(params),
  }
}

/** A call whose client nobody can ask anything, for a carrier that encodes by itself. */
export interface DirectCall {
  /** As its client wrote it. */
  readonly name: unknown
  readonly args: unknown
  readonly meta?: JsonObject | undefined
  readonly signal: CancelSignal
  readonly from: CallOrigin
}

/** Its result as a legacy client may see it. */
export const callDirectly = async (
  { gateway, resolve }: Pick<ToolCalls, 'gateway' | 'resolve'>,
  client: Client,
  { args = {}, meta, signal, from, ...asked }: DirectCall,
): Promise<ToolResult> => {
  const name = checkToolName(asked.name)
  const { caller, profile } = client
  const found = resolve(client, name)
  const { maxResultBytes } = profile
  const timeoutMs = timeFor(profile.timeoutMs, found)
  const outcome = await gateway.call({ tool: name, found, args, caller, from, signal, maxResultBytes, timeoutMs, meta })
  const result = toResult(outcome, client, 'legacy') as unknown as JsonObject
  return legacyToolResult(result, found.tool?.definition.outputSchema) as unknown as ToolResult
}

const encodedLater = (
  calls: ToolCalls,
  exchange: Exchange,
  found: Found,
  work: Promise<WorkResult>,
): Promise<EncodedResult> =>
  work.then(
    (result) => encoded(calls, exchange, found, result),
    (error) => encodedError(calls, exchange, found, error),
  )

const encodedNow = (
  calls: ToolCalls,
  exchange: Exchange,
  found: Found,
  talk: Talk,
  outcome: Outcome,
): EncodedResult => {
  try {
    return encoded(calls, exchange, found, resultOf(calls, exchange, talk, outcome))
  } catch (error) {
    return encodedError(calls, exchange, found, error)
  }
}

const encodedError = (calls: ToolCalls, exchange: Exchange, found: Found, error: unknown): EncodedResult => {
  if (!isGatewayError(error)) throw error
  return encoded(calls, exchange, found, toErrorResult(error, exchange.profile.sayError) as unknown as JsonObject)
}

const encoded = (
  { serverInfo }: ToolCalls,
  { sender }: Exchange,
  { tool }: Found,
  result: WorkResult,
): EncodedResult => {
  const isLegacy = sender.era === 'legacy'
  const outputSchema = isLegacy ? tool?.definition.outputSchema : undefined
  if (result instanceof RawResult)
    return isLegacy ? legacyRawResult(result, outputSchema) : modernRawResult(result, serverInfo)
  return isLegacy ? JSON.stringify(legacyToolResult(result, outputSchema)) : modernResultText(result, serverInfo)
}

const resultOf = ({ tasks: { ids } }: ToolCalls, exchange: Exchange, talk: Talk, outcome: Outcome): WorkResult => {
  // As it came: what is not finished, or is to be looked into, is no raw answer.
  if (outcome.ok && outcome.answer.raw) return outcome.answer.raw
  const result = toResult(outcome, exchange, exchange.sender.era) as unknown as JsonObject
  return talk.sealed(unfinished(result, (taskId) => ids.toShown(exchange, outcome.meta.source ?? '', taskId)))
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

const checkToolName = (name: unknown): string => {
  if (typeof name === 'string' && name !== '') return name
  throw new RpcError(rpcCodes.invalidParams, 'tools/call needs `name`, the name of a tool, in its params.')
}

const toResult = (outcome: Outcome, { profile }: Client, era: Era): ToolResult => {
  if (outcome.ok) return era === 'legacy' ? toToolResult(outcome.answer) : withReadOnLink(toToolResult(outcome.answer))
  const own = ownRefusal(outcome.error, era)
  if (own) throw own
  return toErrorResult(outcome.error, profile.sayError)
}

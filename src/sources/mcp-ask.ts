import { GatewayError } from '../errors.js'
import type { ClientPeer, RequestOptions } from '../mcp/client/client-peer.js'
import type { RequestHandler } from '../mcp/client/inbound.js'
import type { Era } from '../mcp/eras.js'
import type { HeaderParam } from '../mcp/headers.js'
import type { RpcNotification } from '../mcp/message.js'
import { stripReserved } from '../mcp/message.js'
import { missingCapability } from '../mcp/questions.js'
import { isRpcError, RpcError, rpcCodes } from '../mcp/rpc-error.js'
import type { Asking, Question } from '../model/asking.js'
import { eitherOf } from '../model/cancel.js'
import { defined, isRecord, type JsonObject } from '../model/json.js'
import type { Answer, ToolResult } from '../model/result.js'
import type { SourceCall } from './source.js'

/** Counts the gateways a call went through, so that two that mount each other do not call each other for ever. */
export const hopsKey = 'pegboard/hops'

// The call path has its own deadline; this is only the longest that a forgotten call may stay.
const longestCallMs = 24 * 60 * 60_000
// A server that asks without end is answered with refusals after so many questions of one call.
const mostQuestions = 64
const mostRounds = 16

export interface McpAsk {
  readonly method: string
  readonly params: JsonObject
  readonly context: SourceCall
  readonly headerParams?: readonly HeaderParam[] | undefined
  /** What comes on this request's stream without belonging to it: announcements of changed lists. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined
}

/**
 * A request on a caller's behalf. What the server needs of the caller meanwhile it asks in its own era's way, and the
 * caller is asked in theirs:
 *
 *   server   caller        how
 *   modern   takes rounds  `input_required` passes through, the caller's answers come with its next request
 *   modern   is asked      we ask, collect and send the request again
 *   legacy   any           its request is answered while the call runs; how the caller is asked is the face's business
 */
export const askMcp = (peer: ClientPeer, ask: McpAsk): Promise<JsonObject> =>
  peer.info ? askIn(peer.info.era, peer, ask) : peer.connect().then(({ era }) => askIn(era, peer, ask))

const askIn = (era: Era, peer: ClientPeer, ask: McpAsk): Promise<JsonObject> =>
  era === 'legacy' ? askLegacy(peer, ask) : askModern(peer, ask)

/** How many gateways a request has been through, by its `_meta`. */
export const hopsOf = (meta: JsonObject | undefined): number => {
  const hops = meta?.[hopsKey]
  return typeof hops === 'number' && Number.isSafeInteger(hops) && hops > 0 ? hops : 0
}

const optionsOf = ({ context, headerParams, onNotification }: McpAsk): RequestOptions => {
  const { asking, meta, onProgress } = context.call
  return {
    signal: context.cancel,
    timeoutMs: longestCallMs,
    // Without the caller's reserved keys, which end at this hop: then most calls have one key here, not a copy of five.
    meta: { ...stripReserved(meta), 'pegboard/hops': hopsOf(meta) + 1 },
    headerParams,
    // Nothing, if nobody can be asked: a server that was told more would ask, and fail half-way.
    capabilities: asking?.capabilities ?? nothing,
    logLevel: asking?.logLevel,
    // Through the call's own ear: after its end nobody may hear of progress.
    onProgress: onProgress && ((progress) => context.reportProgress(progress)),
    onNotification: asking?.onLog && logsOf(asking, onNotification),
  }
}

const nothing: JsonObject = Object.freeze({})

const logsOf =
  (asking: Asking, onOther: McpAsk['onNotification']) =>
  (message: RpcNotification): void => {
    if (message.method === 'notifications/message') asking.onLog?.(message.params ?? {})
    else onOther?.(message)
  }

const askModern = (peer: ClientPeer, ask: McpAsk): Promise<JsonObject> => {
  const options = optionsOf(ask)
  const first = peer.request(ask.method, withRound(ask.params, ask.context.call.asking?.rounds), options)
  return first.then((result) => (result.resultType === 'input_required' ? rounds(peer, ask, options, result) : result))
}

const rounds = async (
  peer: ClientPeer,
  { method, params, context }: McpAsk,
  options: RequestOptions,
  first: JsonObject,
): Promise<JsonObject> => {
  const { asking } = context.call
  let result = first
  for (let round = 1; result.resultType === 'input_required'; round++) {
    const questions = questionsOf(result.inputRequests)
    if (!asking) throw needsInput(method)
    for (const question of Object.values(questions))
      if (missingCapability(question, asking.capabilities)) throw undeclared(question.method)
    if (asking.rounds) return result
    if (round >= mostRounds) throw tooManyRounds(method, mostRounds)
    const requestState = typeof result.requestState === 'string' ? result.requestState : undefined
    const inputResponses = await answersTo(questions, context, asking)
    result = await peer.request(method, withRound(params, { inputResponses, requestState }), options)
  }
  return result
}

const withRound = (params: JsonObject, round: Asking['rounds']): JsonObject =>
  round?.inputResponses === undefined && round?.requestState === undefined
    ? params
    : {
        ...params,
        ...defined({ inputResponses: round.inputResponses, requestState: round.requestState }),
      }

const questionsOf = (requests: unknown): Readonly<Record<string, Question>> => {
  if (requests === undefined) return {}
  const entries = isRecord(requests) ? Object.entries(requests) : []
  const wellFormed =
    entries.length > 0 && entries.every(([, each]) => isRecord(each) && typeof each.method === 'string')
  if (!wellFormed || entries.length > mostQuestions)
    throw new GatewayError('RESULT_INVALID', 'The source asks for input in a form that the protocol does not allow.')
  return Object.fromEntries(entries.map(([key, each]) => [key, each as unknown as Question] as const))
}

// One after the other: a person sees one dialog at a time.
const answersTo = async (
  questions: Readonly<Record<string, Question>>,
  context: SourceCall,
  asking: Asking,
): Promise<JsonObject> => {
  const resume = context.pause?.()
  try {
    const answers: [string, JsonObject][] = []
    for (const [key, question] of Object.entries(questions))
      answers.push([key, await asking.ask(question, context.cancel)])
    return Object.fromEntries(answers)
  } finally {
    resume?.()
  }
}

// Peers whose server was told to log everything: levels are per session there, wishes are per call.
const verbose = new WeakSet<ClientPeer>()

const askLegacy = async (peer: ClientPeer, ask: McpAsk): Promise<JsonObject> => {
  const { method, params, context } = ask
  const { asking } = context.call
  if (asking?.logLevel !== undefined && peer.info?.capabilities.logging !== undefined && !verbose.has(peer)) {
    verbose.add(peer)
    await peer.request('logging/setLevel', { level: 'debug' }).catch(() => {})
  }
  try {
    return await peer.request(method, params, { ...optionsOf(ask), onRequest: answerFor(context) })
  } catch (error) {
    const asked = asking?.rounds && urlsOf(error, asking)
    if (asked) return asked
    throw error
  }
}

/** The server's requests during this call, put to the one who made the call. */
const answerFor = (context: SourceCall): RequestHandler => {
  let asked = 0
  return async ({ method, params }, { cancel }) => {
    const question = { method, params }
    const { asking } = context.call
    if (!asking || missingCapability(question, asking.capabilities))
      throw new RpcError(rpcCodes.methodNotFound, `The caller did not declare that it answers ${method.slice(0, 64)}.`)
    if (++asked > mostQuestions)
      throw new RpcError(rpcCodes.invalidRequest, `A call may ask its caller at most ${mostQuestions} things.`)
    const resume = context.pause?.()
    try {
      return await asking.ask(question, eitherOf(cancel, context.cancel))
    } finally {
      resume?.()
    }
  }
}

const urlElicitationRequired = -32042

/** The legacy error "open these addresses first", as the round trip that modern clients know instead of it. */
const urlsOf = (error: unknown, { capabilities }: Asking): JsonObject | undefined => {
  if (!isRpcError(error) || error.code !== urlElicitationRequired || !isRecord(error.data)) return undefined
  const listed = Array.isArray(error.data.elicitations) ? error.data.elicitations : []
  const requests = listed
    .filter(isRecord)
    .slice(0, mostQuestions)
    .map(({ elicitationId: _, ...params }, index) => {
      const question = { method: 'elicitation/create', params: { ...params, mode: 'url' } as JsonObject }
      return [`url-${index + 1}`, question] as const
    })
  if (requests.length === 0 || missingCapability(requests[0]![1], capabilities)) return undefined
  return { resultType: 'input_required', inputRequests: Object.fromEntries(requests) }
}

/** The answer of `tools/call` as it came, unknown fields and all. */
export const toolAnswer = (result: JsonObject, tool: string, { call }: SourceCall): Answer => ({
  type: 'result',
  result: toToolResult(result, tool, call.asking),
})

const toToolResult = (result: JsonObject, tool: string, asking: Asking | undefined): ToolResult => {
  // A caller who takes rounds also takes what an extension it declared answers with: a task, for one.
  if (result.resultType !== undefined && result.resultType !== 'complete' && asking?.rounds)
    return { ...result, content: [] } as unknown as ToolResult
  if (result.resultType !== undefined && result.resultType !== 'complete')
    throw new GatewayError(
      'RESULT_INVALID',
      `'${tool}' answered with '${String(result.resultType).slice(0, 40)}', which this caller cannot take.`,
    )
  if (Array.isArray(result.content)) return result as unknown as ToolResult
  // Structured content alone is within the spec's words; a list of nothing makes it whole for everybody.
  if (result.structuredContent !== undefined) return { ...result, content: [] } as unknown as ToolResult
  throw new GatewayError('RESULT_INVALID', `'${tool}' answered without \`content\`.`)
}

/** The tool wants something of its caller, who came by a way on which nobody can be asked. */
const needsInput = (method: string): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `${method} needs input from its caller, who cannot be asked this way. Call it from an MCP client that can.`,
  )

const undeclared = (method: string): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `The source asks for ${method.slice(0, 64)}, which the caller did not declare; nobody was asked.`,
  )

const tooManyRounds = (method: string, rounds: number): GatewayError =>
  new GatewayError('RESULT_INVALID', `The source still asked for more after ${rounds} rounds of ${method}.`, {
    details: { rounds },
  })

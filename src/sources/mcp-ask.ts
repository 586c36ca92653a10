import { GatewayError } from '../errors.js'
import type { ClientPeer, RequestOptions } from '../mcp/client/client-peer.js'
import type { RequestHandler } from '../mcp/client/inbound.js'
import type { Waiter } from '../mcp/client/pending.js'
import type { Era } from '../mcp/eras.js'
import type { HeaderParam } from '../mcp/headers.js'
import type { RpcNotification, RpcResult } from '../mcp/message.js'
import { stripReserved } from '../mcp/message.js'
import { missingCapability } from '../mcp/questions.js'
import type { Asking } from '../model/asking.js'
import type { CancelSignal } from '../model/cancel.js'
import { defined, type JsonObject } from '../model/json.js'
import { type RawResult, RawToolAnswer } from '../model/raw-result.js'
import type { Answer, ToolResult } from '../model/result.js'
import { answerFor, answersTo, questionsOf, undeclared, urlsOf } from './mcp-questions.js'
import type { McpSourceKind } from './mcp-source-options.js'
import type { SourceCall } from './source.js'

/** Counts the gateways a call went through, so that two that mount each other do not call each other for ever. */
export const hopsKey = 'pegboard/hops'

const mostRounds = 16

export interface McpAsk {
  readonly method: string
  readonly params: JsonObject
  readonly context: SourceCall
  /** The tool that `tools/call` names. */
  readonly tool?: string | undefined
  readonly headerParams?: readonly HeaderParam[] | undefined
  /** What comes on this request's stream without belonging to it: announcements of changed lists. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined
  /** How the far side is spoken to, where that is not as with any server. */
  readonly how?: Pick<McpSourceKind, 'stamp' | 'toError'> | undefined
  /** Called when it is over, however it ended. */
  readonly onEnd?: (() => void) | undefined
}

/** What becomes of an answer: read where it arrives, so that nobody has to wait for a value that is already there. */
export type ReadAnswer<T> = (answer: RpcResult, ask: McpAsk) => T

/**
 * A request on a caller's behalf. What the server needs of the caller meanwhile it asks in its own era's way, and the
 * caller is asked in theirs:
 *
 *   server   caller        how
 *   modern   takes rounds  `input_required` passes through, the caller's answers come with its next request
 *   modern   is asked      we ask, collect and send the request again
 *   legacy   any           its request is answered while the call runs; how the caller is asked is the face's business
 */
export const askMcp = <T>(peer: ClientPeer, ask: McpAsk, read: ReadAnswer<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const request = new McpRequest(peer, ask, read, resolve, reject)
    if (peer.info) request.start(peer.info.era)
    else
      peer.connect().then(
        ({ era }) => request.start(era),
        (error) => request.failed(error),
      )
  })

/** The result as an object. */
export const readResult: ReadAnswer<JsonObject> = ({ result }) => result as JsonObject

/** How many gateways a request has been through, by its `_meta`. */
export const hopsOf = (meta: JsonObject | undefined): number => {
  const hops = meta?.[hopsKey]
  return typeof hops === 'number' && Number.isSafeInteger(hops) && hops > 0 ? hops : 0
}

// Most calls come from clients: one object for all of them is written out once.
const firstHop: JsonObject = Object.freeze({ 'pegboard/hops': 1 })

/** Without the caller's reserved keys, which end at this hop. */
const nextHop = (meta: JsonObject | undefined): JsonObject => {
  const own = stripReserved(meta)
  return own === undefined ? firstHop : { ...own, 'pegboard/hops': hopsOf(meta) + 1 }
}

/** One request while it runs: what the peer is told of it, and who waits for its end. A class, since one is made per call. */
class McpRequest<T> implements RequestOptions, Waiter {
  /** The call path has a deadline of its own. */
  readonly timeoutMs = Number.POSITIVE_INFINITY
  readonly meta: JsonObject
  readonly #peer: ClientPeer
  readonly #ask: McpAsk
  readonly #read: ReadAnswer<T>
  readonly #resolve: (value: T | Promise<T>) => void
  readonly #reject: (error: unknown) => void
  #era: Era = 'modern'
  #onNotification: RequestOptions['onNotification']
  #onRequest: RequestHandler | undefined

  constructor(
    peer: ClientPeer,
    ask: McpAsk,
    read: ReadAnswer<T>,
    resolve: (value: T | Promise<T>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#peer = peer
    this.#ask = ask
    this.#read = read
    this.#resolve = resolve
    this.#reject = reject
    const { call } = ask.context
    const stamp = ask.how?.stamp
    this.meta = stamp ? { ...nextHop(call.meta), ...stamp(call) } : nextHop(call.meta)
  }

  get signal(): CancelSignal {
    return this.#ask.context.cancel
  }

  get headerParams(): readonly HeaderParam[] | undefined {
    return this.#ask.headerParams
  }

  get headers(): Readonly<Record<string, string>> | undefined {
    return this.#ask.context.call.headers
  }

  /** Nothing, if nobody can be asked: a server that was told more would ask, and fail half-way. */
  get capabilities(): JsonObject {
    return this.#asking?.capabilities ?? nothing
  }

  get logLevel(): string | undefined {
    return this.#asking?.logLevel
  }

  /** Through the call's own ear: after its end nobody may hear of progress. */
  get onProgress(): RequestOptions['onProgress'] {
    const { context } = this.#ask
    return context.call.onProgress && ((progress) => context.reportProgress(progress))
  }

  get onNotification(): RequestOptions['onNotification'] {
    const asking = this.#asking
    if (asking?.onLog) this.#onNotification ??= logsOf(asking, this.#ask.onNotification)
    return this.#onNotification
  }

  /** The server's requests during this call, put to the one who made the call. Only legacy servers have any. */
  get onRequest(): RequestHandler | undefined {
    if (this.#era === 'legacy') this.#onRequest ??= answerFor(this.#ask.context)
    return this.#onRequest
  }

  get #asking(): Asking | undefined {
    return this.#ask.context.call.asking
  }

  start(era: Era): void {
    this.#era = era
    const { method, params } = this.#ask
    if (era === 'modern') this.#peer.send(method, withRound(params, this.#asking?.rounds), this, this)
    else if (!mustLog(this.#peer, this.#asking)) this.#peer.send(method, params, this, this)
    // Levels are per session there, wishes are per call: it logs everything from the first wish on.
    else
      this.#peer
        .request('logging/setLevel', { level: 'debug' })
        .catch(() => {})
        .then(() => this.#peer.send(method, params, this, this))
  }

  answered(answer: RpcResult): void {
    if (this.#era === 'modern' && wantsInput(answer))
      return void rounds(this.#peer, this.#ask, this, answer).then(
        (last) => this.#end(last),
        (error) => this.failed(error),
      )
    this.#end(answer)
  }

  failed(error: unknown): void {
    const asking = this.#era === 'legacy' ? this.#asking : undefined
    const asked = asking?.rounds && urlsOf(error, asking)
    if (asked) return this.#end(plainResult(asked))
    this.#ask.onEnd?.()
    this.#reject(this.#ask.how?.toError ? this.#ask.how.toError(error) : error)
  }

  #end(answer: RpcResult): void {
    this.#ask.onEnd?.()
    try {
      this.#resolve(this.#read(answer, this.#ask))
    } catch (error) {
      this.#reject(error)
    }
  }
}

const nothing: JsonObject = Object.freeze({})

const plainResult = (result: JsonObject): RpcResult => ({ kind: 'result', id: 0, result, bytes: 0 })

const wantsInput = (answer: RpcResult): boolean =>
  (answer.raw ? answer.raw.stringOf('resultType') : (answer.result as JsonObject).resultType) === 'input_required'

const logsOf =
  (asking: Asking, onOther: McpAsk['onNotification']) =>
  (message: RpcNotification): void => {
    if (message.method === 'notifications/message') asking.onLog?.(message.params ?? {})
    else onOther?.(message)
  }

const rounds = async (
  peer: ClientPeer,
  { method, params, context }: McpAsk,
  options: RequestOptions,
  first: RpcResult,
): Promise<RpcResult> => {
  const { asking } = context.call
  let answer = first
  for (let round = 1; wantsInput(answer); round++) {
    const result = answer.result as JsonObject
    const questions = questionsOf(result.inputRequests)
    if (!asking) throw needsInput(method)
    for (const question of Object.values(questions))
      if (missingCapability(question, asking.capabilities)) throw undeclared(question.method)
    if (asking.rounds) return answer
    if (round >= mostRounds) throw tooManyRounds(method, mostRounds)
    const requestState = typeof result.requestState === 'string' ? result.requestState : undefined
    const inputResponses = await answersTo(questions, context, asking)
    const next = withRound(params, { inputResponses, requestState })
    answer = await new Promise<RpcResult>((answered, failed) => peer.send(method, next, options, { answered, failed }))
  }
  return answer
}

const withRound = (params: JsonObject, round: Asking['rounds']): JsonObject =>
  round?.inputResponses === undefined && round?.requestState === undefined
    ? params
    : {
        ...params,
        ...defined({ inputResponses: round.inputResponses, requestState: round.requestState }),
      }

// Peers whose server was told to log everything.
const verbose = new WeakSet<ClientPeer>()

const mustLog = (peer: ClientPeer, asking: Asking | undefined): boolean => {
  if (asking?.logLevel === undefined || peer.info?.capabilities.logging === undefined || verbose.has(peer)) return false
  verbose.add(peer)
  return true
}

/** The answer of `tools/call` as it came, unknown fields and all. */
export const readToolAnswer: ReadAnswer<Answer> = (answer, { tool = '', context }) => {
  const { raw } = answer
  if (raw && isPlain(raw)) return new RawToolAnswer(raw)
  return { type: 'result', result: toToolResult(answer.result as JsonObject, tool, context.call.asking) }
}

/** A whole result with content, as nearly all are: there is nothing to look at closer. */
const isPlain = (raw: RawResult): boolean =>
  (!raw.has('resultType') || raw.stringOf('resultType') === 'complete') && raw.begins('content', '[')

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

const tooManyRounds = (method: string, rounds: number): GatewayError =>
  new GatewayError('RESULT_INVALID', `The source still asked for more after ${rounds} rounds of ${method}.`, {
    details: { rounds },
  })

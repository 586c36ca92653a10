import { GatewayError } from '../../../errors.js'
import type { Flow, WaitingRoom, WorkResult } from '../../../gateway.js'
import { metaOf, notificationText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Asking, Question, Round } from '../../../model/asking.js'
import type { Progress } from '../../../model/call.js'
import { type CancelSignal, eitherOf } from '../../../model/cancel.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Exchange } from '../exchange.js'
import { isWanted } from '../methods/logging.js'
import type { Elsewhere } from './elsewhere.js'

/**
 * What a request's work may ask of the client it is done for, in the way of its era:
 *
 *   legacy   by a request on its stream, while its own request waits
 *   modern   by an answer that says `input_required`; the work is parked until it comes back with the answers, or, where
 *            the source speaks that way too, the source's own state goes out sealed and nothing is kept
 */
export abstract class Talk implements Asking {
  /** What a client said with its request, and for a modern one what it brought from the round before. */
  readonly capabilities: JsonObject
  readonly rounds: Round | undefined
  protected readonly exchange: Exchange
  #progress = Number.NEGATIVE_INFINITY

  constructor(exchange: Exchange, rounds: Round | undefined) {
    this.exchange = exchange
    this.capabilities = capabilitiesOf(exchange)
    this.rounds = rounds
  }

  abstract ask(question: Question, signal: CancelSignal): Promise<JsonObject>

  /** Whose cancelling ends the work. */
  get signal(): CancelSignal {
    return this.exchange.signal
  }

  /** Whether its work may outlive the request, to go on when the client comes back with answers. */
  get mayWait(): boolean {
    return false
  }

  get logLevel(): string | undefined {
    const { sender, session } = this.exchange
    return sender.era === 'modern' ? sender.logLevel : session?.logLevel
  }

  // A modern client that names no level wants none; a legacy one that never named one gets what is not mere detail.
  get onLog(): Asking['onLog'] {
    const { logLevel } = this
    if (logLevel === undefined && this.exchange.sender.era === 'modern') return undefined
    return (params) => {
      if (isWanted(params.level, logLevel ?? 'info')) this.notify(notificationText('notifications/message', params))
    }
  }

  /** Undefined where the client asked for none. */
  get onProgress(): ((progress: Progress) => void) | undefined {
    if (metaOf(this.exchange.request.params)?.progressToken === undefined) return undefined
    return (progress) => this.#tellProgress(progress)
  }

  /** The result as it may go out: what a source keeps with its client is for the source alone. */
  sealed(result: JsonObject): JsonObject {
    return result
  }

  /** The result of the work, or the questions that its client has to answer first. */
  until(work: Promise<WorkResult>): Promise<WorkResult> {
    return work
  }

  protected notify(text: string): void {
    this.exchange.notify(text)
  }

  /** The request that is being answered: each names its progress anew. */
  protected get answering(): { readonly params?: JsonObject | undefined } | undefined {
    return this.exchange.request
  }

  /** Values must rise and end with the call; the call path ends them, this keeps them rising. */
  #tellProgress(progress: Progress): void {
    const progressToken = metaOf(this.answering?.params)?.progressToken
    if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return
    if (!(progress.progress > this.#progress)) return
    this.#progress = progress.progress
    this.notify(notificationText('notifications/progress', { progressToken, ...progress }))
  }
}

export interface Talks {
  /**
   * Begins a talk with a client about `name`; or, where the client comes back with answers to a call that waits for them,
   * that call's result. Throws at once for answers to questions that were not asked.
   */
  open(exchange: Exchange, name: string): Talk | Promise<WorkResult>
  /** Ends those whose clients are still thinking. */
  close(): void
}

export const createTalks = (room: WaitingRoom, elsewhere: Elsewhere): Talks => {
  const talks: Talks = {
    open: (exchange, name) => {
      if (exchange.sender.era === 'legacy') return new LegacyTalk(exchange, elsewhere)
      const inputResponses = responsesOf(exchange)
      const state = exchange.request.params?.requestState === undefined ? undefined : room.opened(exchange)
      if (state?.flow !== undefined) return room.resume(exchange, state.flow, state.round, inputResponses)
      const round = { inputResponses, requestState: state?.upstream }
      if (!canBeAsked(capabilitiesOf(exchange))) return new PlainTalk(exchange, round, room)
      return new WaitingTalk(exchange, round, room, room.begin(exchange, name, inputResponses, talks))
    },
    close: () => room.close(talks),
  }
  return talks
}

/** With a modern client that answers nothing: what its source asks goes back to it whole, or nowhere. */
class PlainTalk extends Talk {
  readonly #room: WaitingRoom

  constructor(exchange: Exchange, rounds: Round, room: WaitingRoom) {
    super(exchange, rounds)
    this.#room = room
  }

  override ask({ method }: Question, _signal: CancelSignal): Promise<JsonObject> {
    return Promise.reject(cannotAsk(method))
  }

  override sealed(result: JsonObject): JsonObject {
    return result.resultType === 'input_required' ? this.#room.sealed(this.exchange, result) : result
  }
}

/** With a modern client that can be asked: its call is parked while it thinks. */
class WaitingTalk extends PlainTalk {
  readonly #waiting: WaitingRoom
  readonly #flow: Flow

  constructor(exchange: Exchange, rounds: Round, room: WaitingRoom, flow: Flow) {
    super(exchange, rounds, room)
    this.#waiting = room
    this.#flow = flow
  }

  override get signal(): CancelSignal {
    return this.#flow.signal
  }

  override get mayWait(): boolean {
    return true
  }

  override ask(question: Question, signal: CancelSignal): Promise<JsonObject> {
    return this.#waiting.ask(this.#flow, question, signal)
  }

  override until(work: Promise<WorkResult>): Promise<WorkResult> {
    this.#flow.start(work)
    return this.#waiting.until(this.#flow, this.exchange)
  }

  /** To whichever of its requests is being answered at the moment. */
  protected override notify(text: string): void {
    this.#flow.attached?.notify(text)
  }

  protected override get answering(): { readonly params?: JsonObject | undefined } | undefined {
    return this.#flow.attached?.request
  }
}

/** With a legacy client, which answers while its request waits. */
class LegacyTalk extends Talk {
  readonly #elsewhere: Elsewhere

  constructor(exchange: Exchange, elsewhere: Elsewhere) {
    super(exchange, undefined)
    this.#elsewhere = elsewhere
  }

  override ask(question: Question, signal: CancelSignal): Promise<JsonObject> {
    const { session, gone } = this.exchange
    if (!session) return Promise.reject(cannotAsk(question.method))
    const id = question.params?.elicitationId
    if (typeof id === 'string')
      this.#elsewhere.asked(question.source ?? '', id, (text) => session.reach(text), {
        caller: this.exchange.caller.id,
        session,
      })
    return session.questions.ask(question, (text) => this.exchange.notify(text), eitherOf(signal, gone))
  }
}

const capabilitiesOf = ({ sender, session }: Exchange): JsonObject =>
  sender.era === 'modern' ? sender.clientCapabilities : (session?.capabilities ?? {})

const canBeAsked = ({ elicitation, sampling, roots }: JsonObject): boolean =>
  elicitation !== undefined || sampling !== undefined || roots !== undefined

const responsesOf = ({ request }: Exchange): JsonObject | undefined => {
  const responses = request.params?.inputResponses
  if (responses === undefined) return undefined
  if (isRecord(responses)) return responses as JsonObject
  throw new RpcError(
    rpcCodes.invalidParams,
    '`inputResponses` must be an object of answers by the keys of their questions.',
  )
}

const cannotAsk = (method: string): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `The tool asks for ${method.slice(0, 64)}, which this client did not declare that it answers; nobody was asked.`,
  )

import { GatewayError } from '../../../errors.js'
import type { Flow, WaitingRoom } from '../../../gateway.js'
import { metaOf, notificationText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Asking, Round } from '../../../model/asking.js'
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
export class Talk {
  readonly #exchange: Exchange
  readonly #room: WaitingRoom | undefined
  readonly #flow: Flow | undefined

  constructor(
    exchange: Exchange,
    readonly asking: Asking,
    readonly signal: CancelSignal,
    readonly onProgress: ((progress: Progress) => void) | undefined,
    room?: WaitingRoom,
    flow?: Flow,
  ) {
    this.#exchange = exchange
    this.#room = room
    this.#flow = flow
  }

  /** The result as it may go out: what a source keeps with its client is for the source alone. */
  sealed(result: JsonObject): JsonObject {
    return this.#room && result.resultType === 'input_required' ? this.#room.sealed(this.#exchange, result) : result
  }

  /** The result of the work, or the questions that its client has to answer first. */
  until(work: Promise<JsonObject>): Promise<JsonObject> {
    if (!this.#flow || !this.#room) return work
    this.#flow.start(work)
    return this.#room.until(this.#flow, this.#exchange)
  }
}

export interface Talks {
  /**
   * Begins a talk with a client about `name`; or, where the client comes back with answers to a call that waits for them,
   * that call's result. Throws at once for answers to questions that were not asked.
   */
  open(exchange: Exchange, name: string): Talk | Promise<JsonObject>
  /** Ends those whose clients are still thinking. */
  close(): void
}

export const createTalks = (room: WaitingRoom, elsewhere: Elsewhere): Talks => {
  const talks: Talks = {
    open: (exchange, name) => {
      if (exchange.sender.era === 'legacy') return legacyTalk(exchange, elsewhere)
      const inputResponses = responsesOf(exchange)
      const state = exchange.request.params?.requestState === undefined ? undefined : room.opened(exchange)
      if (state?.flow !== undefined) return room.resume(exchange, state.flow, state.round, inputResponses)
      const round = { inputResponses, requestState: state?.upstream }
      if (!canBeAsked(capabilitiesOf(exchange))) return plainTalk(room, exchange, round)
      return waitingTalk(room, room.begin(exchange, name, inputResponses, talks), exchange, round)
    },
    close: () => room.close(talks),
  }
  return talks
}

const waitingTalk = (room: WaitingRoom, flow: Flow, exchange: Exchange, rounds: Round): Talk => {
  const { logLevel, onLog } = logging(exchange, (text) => flow.attached?.notify(text))
  const ask: Asking['ask'] = (question, signal) => room.ask(flow, question, signal)
  const asking = { capabilities: capabilitiesOf(exchange), rounds, logLevel, onLog, ask }
  const onProgress =
    metaOf(exchange.request.params)?.progressToken === undefined
      ? undefined
      : (progress: Progress) => flow.attached && tellProgress(exchange, flow.attached, progress, flow)
  return new Talk(exchange, asking, flow.signal, onProgress, room, flow)
}

const capabilitiesOf = ({ sender, session }: Exchange): JsonObject =>
  sender.era === 'modern' ? sender.clientCapabilities : (session?.capabilities ?? {})

const canBeAsked = ({ elicitation, sampling, roots }: JsonObject): boolean =>
  elicitation !== undefined || sampling !== undefined || roots !== undefined

const plainTalk = (room: WaitingRoom, exchange: Exchange, rounds: Round): Talk => {
  const { logLevel, onLog } = logging(exchange, (text) => exchange.notify(text))
  const asking = { capabilities: capabilitiesOf(exchange), rounds, logLevel, onLog, ask: nobodyToAsk }
  return new Talk(exchange, asking, exchange.signal, progressTo(exchange), room)
}

const nobodyToAsk: Asking['ask'] = ({ method }) => Promise.reject(cannotAsk(method))

const legacyTalk = (exchange: Exchange, elsewhere: Elsewhere): Talk => {
  const { session } = exchange
  const { logLevel, onLog } = logging(exchange, (text) => exchange.notify(text))
  const ask: Asking['ask'] = (question, signal) => {
    if (!session) return Promise.reject(cannotAsk(question.method))
    const id = question.params?.elicitationId
    if (typeof id === 'string') elsewhere.asked(id, session.send)
    return session.questions.ask(question, (text) => exchange.notify(text), eitherOf(signal, exchange.gone))
  }
  const asking = { capabilities: capabilitiesOf(exchange), rounds: undefined, logLevel, onLog, ask }
  return new Talk(exchange, asking, exchange.signal, progressTo(exchange))
}

const logging = (exchange: Exchange, notify: (text: string) => void): Pick<Asking, 'logLevel' | 'onLog'> => {
  const { sender, session } = exchange
  const logLevel = sender.era === 'modern' ? sender.logLevel : session?.logLevel
  // A modern client that names no level wants none; a legacy one that never named one gets what is not mere detail.
  if (logLevel === undefined && sender.era === 'modern') return noLogging
  return {
    logLevel,
    onLog: (params) => {
      if (isWanted(params.level, logLevel ?? 'info')) notify(notificationText('notifications/message', params))
    },
  }
}

const noLogging: Pick<Asking, 'logLevel' | 'onLog'> = Object.freeze({ logLevel: undefined, onLog: undefined })

/** Values must rise and end with the call; the call path ends them, this keeps them rising. */
const progressTo = (exchange: Exchange): ((progress: Progress) => void) | undefined => {
  if (metaOf(exchange.request.params)?.progressToken === undefined) return undefined
  const last = { progress: Number.NEGATIVE_INFINITY }
  return (progress) => tellProgress(exchange, exchange, progress, last)
}

const tellProgress = (
  { request }: Exchange,
  to: { notify(text: string): void },
  progress: Progress,
  last: { progress: number },
): void => {
  const progressToken = metaOf(request.params)?.progressToken
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return
  if (!(progress.progress > last.progress)) return
  last.progress = progress.progress
  to.notify(notificationText('notifications/progress', { progressToken, ...progress }))
}

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

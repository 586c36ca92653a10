import { GatewayError } from '../../../errors.js'
import { metaOf, notificationText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Asking, Round } from '../../../model/asking.js'
import type { Progress } from '../../../model/call.js'
import { type CancelSignal, toAbortSignal } from '../../../model/cancel.js'
import type { Clock } from '../../../model/clock.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Exchange } from '../exchange.js'
import type { Elsewhere } from './elsewhere.js'
import type { Flow } from './flow.js'
import { isWanted } from './log-levels.js'
import { createParking, type Parking, type ParkingLimits } from './parked.js'
import { notOurs, type Seal } from './seal.js'
import { createStates, type States } from './states.js'

/** What a piece of work may know about the client it is done for. */
export interface WorkContext {
  readonly asking: Asking
  readonly signal: CancelSignal
  readonly onProgress: ((progress: Progress) => void) | undefined
}

export type Work = (context: WorkContext) => Promise<JsonObject>

/** Does work for clients that can be asked something meanwhile, in the way of their era. */
export interface Converse {
  /**
   * `name` is what the work is about, for operators. The result may be `input_required`, for modern clients. Throws at
   * once for answers to questions that were not asked.
   */
  run(exchange: Exchange, name: string, work: Work): Promise<JsonObject>
  /** The calls that wait, for operators. */
  readonly parked: Pick<Parking, 'list' | 'questionsOf' | 'cancel' | 'onChange'>
  close(): void
}

/**
 *   client   how it is asked
 *   legacy   by a request on its stream, while its own request waits
 *   modern   by an answer that says `input_required`; the work is parked until it comes back with the answers, or, where
 *            the source speaks that way too, the source's own state goes out sealed and nothing is kept
 */
export const createConverse = (
  clock: Clock,
  seal: Seal,
  elsewhere: Elsewhere,
  limits?: () => ParkingLimits,
): Converse => {
  const parking = createParking(clock, limits)
  const states = createStates(clock, seal)

  // Not async, like `run`: a promise returned from an async function costs three more turns, and a call goes through both.
  const begin = (exchange: Exchange, name: string, round: Round, work: Work): Promise<JsonObject> => {
    const capabilities = capabilitiesOf(exchange)
    if (!canBeAsked(capabilities)) return work(plainContext(exchange, round))
    const { caller, request } = exchange
    const flow = parking.begin({ caller: caller.id, profile: caller.profile, method: request.method, name })
    flow.attached = exchange
    flow.prepared = round.inputResponses ?? {}
    flow.start(work(flowContext(flow, exchange, round)))
    return untilAsked(flow, exchange)
  }

  const flowContext = (flow: Flow, exchange: Exchange, rounds: Round): WorkContext => ({
    asking: {
      capabilities: capabilitiesOf(exchange),
      rounds,
      ...logging(exchange, (text) => flow.attached?.notify(text)),
      ask: async (question, signal) => {
        parking.admit(flow, question)
        return flow.ask(question, signal)
      },
    },
    signal: flow.signal,
    onProgress:
      metaOf(exchange.request.params)?.progressToken === undefined
        ? undefined
        : (progress) => flow.attached && tellProgress(flow.attached, progress, flow),
  })

  const untilAsked = async (flow: Flow, exchange: Exchange): Promise<JsonObject> => {
    const leave = (): void => parking.end(flow)
    exchange.signal.addEventListener('abort', leave, { once: true })
    try {
      if (exchange.signal.aborted) leave()
      const next = await flow.next()
      if (next !== 'asked') {
        parking.end(flow)
        return next
      }
      parking.park(flow, exchange.gone)
      flow.round += 1
      return {
        resultType: 'input_required',
        inputRequests: flow.inputRequests(),
        requestState: states.ofFlow(exchange, flow),
      }
    } catch (error) {
      parking.end(flow)
      throw error
    } finally {
      exchange.signal.removeEventListener('abort', leave)
      flow.attached = undefined
    }
  }

  const resume = async (exchange: Exchange, id: string, round: number): Promise<JsonObject> => {
    const flow = parking.find(id)
    // Used up as soon as it is used: a second copy of this request finds another round.
    if (!flow || flow.attached || flow.round !== round) throw notOurs()
    flow.round += 1
    flow.attached = exchange
    parking.unpark(flow)
    flow.answer(responsesOf(exchange) ?? {})
    return untilAsked(flow, exchange)
  }

  return {
    run: (exchange, name, work) => {
      if (exchange.sender.era === 'legacy') return work(legacyContext(exchange, elsewhere))
      const inputResponses = responsesOf(exchange)
      const state = states.open(exchange)
      if (state?.flow) return resume(exchange, state.flow, state.round)
      const round = { inputResponses, requestState: state?.upstream }
      return begin(exchange, name, round, (context) => work(context).then((result) => sealed(result, exchange, states)))
    },
    parked: parking,
    close: parking.close,
  }
}

/** A source's own state is for the source: it goes out unreadable, and comes back only from the one it was given to. */
const sealed = (result: JsonObject, exchange: Exchange, states: States): JsonObject =>
  result.resultType === 'input_required' && typeof result.requestState === 'string'
    ? { ...result, requestState: states.ofSource(exchange, result.requestState) }
    : result

const capabilitiesOf = ({ sender, session }: Exchange): JsonObject =>
  sender.era === 'modern' ? sender.clientCapabilities : (session?.capabilities ?? {})

const canBeAsked = ({ elicitation, sampling, roots }: JsonObject): boolean =>
  elicitation !== undefined || sampling !== undefined || roots !== undefined

const plainContext = (exchange: Exchange, rounds: Round): WorkContext => {
  const { logLevel, onLog } = logging(exchange, (text) => exchange.notify(text))
  return {
    asking: { capabilities: capabilitiesOf(exchange), rounds, logLevel, onLog, ask: nobodyToAsk },
    signal: exchange.signal,
    onProgress: progressTo(exchange),
  }
}

const nobodyToAsk: Asking['ask'] = ({ method }) => Promise.reject(cannotAsk(method))

const legacyContext = (exchange: Exchange, elsewhere: Elsewhere): WorkContext => {
  const { session } = exchange
  return {
    asking: {
      capabilities: capabilitiesOf(exchange),
      ...logging(exchange, (text) => exchange.notify(text)),
      ask: (question, signal) => {
        if (!session) return Promise.reject(cannotAsk(question.method))
        const id = question.params?.elicitationId
        if (typeof id === 'string') elsewhere.asked(id, session.send)
        const either = exchange.gone ? AbortSignal.any([signal, toAbortSignal(exchange.gone)]) : signal
        return session.questions.ask(question, (text) => exchange.notify(text), either)
      },
    },
    signal: exchange.signal,
    onProgress: progressTo(exchange),
  }
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
  return (progress) => tellProgress(exchange, progress, last)
}

const tellProgress = (exchange: Exchange, progress: Progress, last: { progress: number }): void => {
  const progressToken = metaOf(exchange.request.params)?.progressToken
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return
  if (!(progress.progress > last.progress)) return
  last.progress = progress.progress
  exchange.notify(notificationText('notifications/progress', { progressToken, ...progress }))
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

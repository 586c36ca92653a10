import type { Question } from '../../model/asking.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { createSeals, type Seal } from '../../model/seal.js'
import type { Shares } from '../../model/shares.js'
import { stableHash } from '../../schema/canonical.js'
import type { Flow, FlowOwner, Visit, WorkResult } from './flow.js'
import { notOurs, openOwn, WaitsElsewhere } from './not-ours.js'
import { createParking, type ParkedCall, type Parking, type ParkingLimits } from './parking.js'

/**
 * The waiting room of a gateway. A program whose tools ask nobody never has one, and does not carry it along.
 */
export const waitingRoomOf = (gateway: { openWaitingRoom(make: typeof WaitingRoom): WaitingRoom }): WaitingRoom =>
  gateway.openWaitingRoom(WaitingRoom)

/** What others carry for us, and where it has to come back to. */
export interface StateOptions {
  /** Default: one that ends with this process. */
  readonly seal?: Seal | undefined
  /** Our name among replicas: a call waits in the memory of one of them. Default: states name nobody. */
  readonly replica?: string | undefined
  /** What time it is for all who open our states. Default: by our own wall clock. */
  readonly now?: (() => number) | undefined
}

/**
 * Where calls wait whose callers were sent away to answer a question, until they are back, somebody else answers, or time
 * is up. Below the faces: whichever door a call came by, and whichever step has something to ask, it waits here.
 */
export class WaitingRoom {
  /** Closes what only we may open: states and ids that clients carry for us. */
  readonly seal: Seal
  /** Our name among replicas. */
  readonly replica: string | undefined
  readonly #parking: Parking
  readonly #states: States

  constructor(clock: Clock, limits?: () => ParkingLimits, shares?: Shares, states: StateOptions = {}) {
    this.seal = states.seal ?? createSeals().of('state')
    this.replica = states.replica
    this.#parking = createParking(clock, limits, shares)
    this.#states = createStates(states.now ? { wall: states.now } : clock, this.seal, states.replica)
  }

  /**
   * What the caller brought from the round before, if anything. Throws -32602 for a state that may not be used here; that
   * of a call which waits at another replica says where.
   */
  opened(visit: Visit): OpenedState | undefined {
    return this.#states.open(visit)
  }

  /** A call that may ask its caller; `prepared` are answers that came before their questions. */
  begin(visit: Visit, name: string, prepared?: JsonObject, door?: object): Flow {
    const { caller, request } = visit
    const { id, session, profile } = caller
    const flow = this.#parking.begin({ caller: id, session, profile, method: request.method, name, door })
    flow.attached = visit
    if (prepared) flow.prepared = prepared
    return flow
  }

  /** Puts a question to the caller, once there is room for one more. */
  async ask(flow: Flow, question: Question, signal: CancelSignal): Promise<JsonObject> {
    this.#parking.admit(flow, question)
    return flow.ask(question, signal)
  }

  /** The result, or `input_required` with the open questions and the state by which the caller comes back. */
  async until(flow: Flow, visit: Visit): Promise<WorkResult> {
    const leave = (): void => this.#parking.end(flow)
    visit.signal.addEventListener('abort', leave, { once: true })
    try {
      if (visit.signal.aborted) leave()
      const next = await flow.next()
      if (next !== 'asked') {
        this.#parking.end(flow)
        return next
      }
      this.#parking.park(flow, visit.gone)
      flow.round += 1
      return {
        resultType: 'input_required',
        inputRequests: flow.inputRequests(),
        requestState: this.#states.ofFlow(visit, flow),
      }
    } catch (error) {
      this.#parking.end(flow)
      throw error
    } finally {
      visit.signal.removeEventListener('abort', leave)
      flow.attached = undefined
    }
  }

  /** The caller is back: its answers are handed over, and it waits again. */
  async resume(visit: Visit, id: string, round: number, responses: JsonObject | undefined): Promise<WorkResult> {
    const flow = this.#parking.find(id)
    // Used up as soon as it is used: a second copy of this request finds another round.
    if (!flow || flow.attached || flow.round !== round) throw notOurs()
    flow.round += 1
    flow.attached = visit
    this.#parking.unpark(flow)
    flow.answer(responses ?? {})
    return this.until(flow, visit)
  }

  /** A source's own state is for the source: it goes out unreadable, and comes back only from the one it was given to. */
  sealed(visit: Visit, result: JsonObject): JsonObject {
    return typeof result.requestState === 'string'
      ? { ...result, requestState: this.#states.ofSource(visit, result.requestState) }
      : result
  }

  /** The calls that wait, for operators. */
  list(): readonly ParkedCall[] {
    return this.#parking.list()
  }

  /** What is asked of a caller, word for word: for operators who switched such words on, and nobody else. */
  questionsOf(id: string): readonly Question[] {
    return this.#parking.questionsOf(id)
  }

  /** Answers by another door than the caller's, by the keys of their questions; the caller gets the result when it is back. */
  answer(id: string, responses: JsonObject): boolean {
    const flow = this.#parking.find(id)
    flow?.answer(responses)
    return flow !== undefined
  }

  /** An operator's end of a call, for its source and for its caller. False when there is no such call. */
  cancel(id: string): boolean {
    return this.#parking.cancel(id)
  }

  /** Ends the calls of those who may no longer come. */
  dismiss(fits: (owner: FlowOwner) => boolean): void {
    this.#parking.dismiss(fits)
  }

  /** Told when the list may have changed. */
  onChange(listener: () => void): () => void {
    return this.#parking.onChange(listener)
  }

  /** Ends what came by this door; default: all. */
  close(door?: object): void {
    this.#parking.close(door)
  }
}

/** What a `requestState` of ours says, once it is sure that it is ours, this caller's, in time, and for this request. */
export interface OpenedState {
  readonly flow: string | undefined
  readonly round: number
  /** Where the flow waits; undefined where a process is by itself. One that no longer knows it refuses, and the call begins again. */
  readonly replica: string | undefined
  /** The source's own state. */
  readonly upstream: string | undefined
}

/** The states that modern clients carry between the rounds of a request (T34). */
export interface States {
  ofFlow(visit: Visit, flow: Flow): string
  ofSource(visit: Visit, state: string): string
  /** Undefined when the request brings none; throws -32602 for one that may not be used here. */
  open(visit: Visit): OpenedState | undefined
}

// By the wall clock: a monotonic one begins anew with each process and stands still while a machine sleeps.
const validMs = 10 * 60_000

export const createStates = (clock: Pick<Clock, 'wall'>, seal: Seal, replica?: string): States => {
  const close = (visit: Visit, content: Readonly<Record<string, unknown>>): string =>
    seal.close({ ...content, owner: ownerOf(visit), digest: digestOf(visit), until: clock.wall() + validMs })
  /** Asked for by another replica, which took it for the state of a source: the call waits here, where it has now come to. */
  const ownFlowIn = (upstream: unknown): OpenedState | undefined => {
    const inner = replica !== undefined && typeof upstream === 'string' ? seal.open(upstream) : undefined
    if (inner?.replica !== replica || typeof inner?.flow !== 'string') return undefined
    return { flow: inner.flow, round: Number(inner.round), replica, upstream: undefined }
  }
  return {
    ofFlow: (visit, flow) => close(visit, { flow: flow.id, round: flow.round, replica }),
    ofSource: (visit, state) => close(visit, { upstream: state }),
    open: (visit) => {
      const state = visit.request.params?.requestState
      if (state === undefined) return undefined
      const { owner, digest, until, flow, round, replica: where, upstream } = openOwn(seal, state)
      if (owner !== ownerOf(visit) || digest !== digestOf(visit)) throw notOurs()
      if (typeof until !== 'number' || clock.wall() > until) throw notOurs()
      if (typeof flow === 'string' && typeof where === 'string' && where !== replica) throw new WaitsElsewhere(where)
      const waiting = ownFlowIn(upstream)
      if (waiting) return waiting
      return {
        flow: typeof flow === 'string' ? flow : undefined,
        round: typeof round === 'number' ? round : -1,
        replica: typeof where === 'string' ? where : undefined,
        upstream: typeof upstream === 'string' ? upstream : undefined,
      }
    },
  }
}

const ownerOf = ({ caller }: Visit): string => JSON.stringify([caller.id, caller.profile ?? null])

/** The same request, whatever the order of its keys: only what the rounds themselves add may differ. */
const digestOf = ({ request: { method, params } }: Visit): string => {
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = params ?? {}
  return stableHash([method, rest])
}

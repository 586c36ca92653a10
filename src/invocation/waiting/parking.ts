import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../errors.js'
import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Question } from '../../model/asking.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import { type Filled, withDefaults } from '../../model/defaults.js'
import { Shares } from '../../model/shares.js'
import { Flow, type FlowOwner } from './flow.js'

export interface ParkingLimits {
  /** Waiting calls, over all callers. Default 128: below what one tool may run at once. */
  readonly most?: number | undefined
  /** Of one caller. Default 32. */
  readonly mostPerCaller?: number | undefined
  /** UTF-8 bytes of the open questions and of the calls that asked them, over all callers. Default 32 MiB. */
  readonly maxBytes?: number | undefined
  /** The same of one caller. Default 8 MiB. */
  readonly maxBytesPerCaller?: number | undefined
  /** Questions of one caller that wait in sessions of earlier protocol versions. Default 128. */
  readonly questionsPerCaller?: number | undefined
  /** How long a question waits for the client to come back. Default 5 minutes. */
  readonly waitMs?: number | undefined
  /** How long a call may last with all its questions. Default 30 minutes. */
  readonly longestMs?: number | undefined
}

/** What an operator may know of a call that waits: never its arguments, never its questions' words. */
export interface ParkedCall {
  readonly id: string
  readonly caller: string
  readonly method: string
  readonly name: string
  readonly asks: readonly string[]
  /** How long ago the call began. */
  readonly sinceMs: number
  /** How long its caller has left to come back; undefined while the caller is here and the source works. */
  readonly expiresInMs: number | undefined
}

/** Live calls of legacy sources whose modern callers have gone to think about a question. */
export interface Parking {
  begin(owner: FlowOwner): Flow
  find(id: unknown): Flow | undefined
  /** Room for one more question of this flow; throws what the source is told if there is none. */
  admit(flow: Flow, question: Question): void
  /** The client was sent away with its questions: waits for its return, for so long, or until its connection is gone. */
  park(flow: Flow, gone: CancelSignal | undefined): void
  unpark(flow: Flow): void
  end(flow: Flow): void
  list(): readonly ParkedCall[]
  /** What is asked of its caller, word for word: for operators who switched such words on, and nobody else. */
  questionsOf(id: string): readonly Question[]
  /** An operator's end of a call, for its source and for its caller. False when there is no such call. */
  cancel(id: string): boolean
  /** Ends the calls of those who may no longer come. */
  dismiss(fits: (owner: FlowOwner) => boolean): void
  /** Told when the list may have changed. */
  onChange(listener: () => void): () => void
  /** Ends what came by this door; default: all. */
  close(door?: object): void
}

interface Wait {
  readonly until: number
  stop(): void
}

/** Limits are asked for when they matter, so that a changed configuration counts for the next question. */
export const createParking = (
  clock: Clock,
  limits: () => ParkingLimits = () => ({}),
  shares: Shares = new Shares(),
): Parking => {
  const parked = shares.of('parked')
  const held = shares.of('questionBytes')
  const flows = new Map<string, Flow>()
  const waits = new Map<string, Wait>()
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  const forget = (flow: Flow): void => {
    stopWaiting(flow)
    // Most calls ask nothing and were never listed.
    if (!flows.delete(flow.id)) return
    parked.give(flow.owner.caller)
    held.give(flow.owner.caller, flow.bytes)
    flow.onLess = undefined
    changed()
  }
  const end = (flow: Flow): void => {
    forget(flow)
    flow.finish(neverBack)
  }
  const stopWaiting = (flow: Flow): void => {
    waits.get(flow.id)?.stop()
    if (waits.delete(flow.id)) changed()
  }

  return {
    begin: (owner) => new Flow(randomUUID(), owner, clock.now()),
    find: (id) => (typeof id === 'string' ? flows.get(id) : undefined),
    admit: (flow, question) => {
      const { caller } = flow.owner
      const { most, mostPerCaller, maxBytes, maxBytesPerCaller, longestMs } = withDefaults(defaults, limits())
      parked.limit({ perCaller: mostPerCaller, inAll: most })
      held.limit({ perCaller: maxBytesPerCaller, inAll: maxBytes })
      if (clock.now() - flow.startedAt > longestMs) throw full(flow, tooLong())
      const isNew = !flows.has(flow.id)
      // A call that waits keeps its request, which may be far larger than what it is asked.
      const size = sizeOf(question) + (isNew ? sizeOf(flow.attached?.request.params ?? {}) : 0)
      const noPlace = isNew ? parked.take(caller) : undefined
      if (noPlace) throw full(flow, noPlace)
      const noRoom = held.take(caller, size)
      if (noRoom && isNew) parked.give(caller)
      if (noRoom) throw full(flow, noRoom)
      flow.bytes += size
      flow.onLess = (bytes) => held.give(caller, bytes)
      flows.set(flow.id, flow)
      changed()
    },
    park: (flow, gone) => {
      stopWaiting(flow)
      const { waitMs } = withDefaults(defaults, limits())
      const leave = (): void => end(flow)
      const stopTimer = clock.after(waitMs, leave)
      gone?.addEventListener('abort', leave, { once: true })
      const stop = (): void => {
        stopTimer()
        gone?.removeEventListener('abort', leave)
      }
      waits.set(flow.id, { until: clock.now() + waitMs, stop })
      changed()
      if (gone?.aborted) leave()
    },
    unpark: stopWaiting,
    end,
    list: () =>
      [...flows.values()].map((flow) => ({
        id: flow.id,
        caller: flow.owner.caller,
        method: flow.owner.method,
        name: flow.owner.name,
        asks: flow.questions().map(({ method }) => method),
        sinceMs: clock.now() - flow.startedAt,
        expiresInMs: leftOf(waits.get(flow.id), clock),
      })),
    questionsOf: (id) => flows.get(id)?.questions() ?? [],
    cancel: (id) => {
      const flow = flows.get(id)
      if (!flow) return false
      forget(flow)
      flow.fail(byOperator())
      return true
    },
    dismiss: (fits) => {
      for (const flow of [...flows.values()]) if (fits(flow.owner)) end(flow)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: (door) => {
      for (const flow of [...flows.values()]) if (door === undefined || flow.owner.door === door) end(flow)
    },
  }
}

const defaults = {
  most: 128,
  mostPerCaller: 32,
  maxBytes: 32 * 1024 * 1024,
  maxBytesPerCaller: 8 * 1024 * 1024,
  questionsPerCaller: 128,
  waitMs: 300_000,
  longestMs: 1_800_000,
} as const satisfies Filled<ParkingLimits>

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const tooLong = (): GatewayError =>
  new GatewayError('OVERLOADED', 'The call has asked its caller for longer than it may; call it again.', {
    retryAfterMs: 60_000,
  })

const leftOf = (wait: Wait | undefined, clock: Clock): number | undefined =>
  wait && Math.max(0, wait.until - clock.now())

const byOperator = (): GatewayError =>
  new GatewayError('CALL_CANCELLED', 'An operator cancelled the call while it waited for an answer. Call it again.')

const neverBack = (): GatewayError =>
  new GatewayError('CALL_CANCELLED', 'The caller did not come back to answer in time; the call was given up.')

/** The whole call is given up: what its caller cannot be asked, its tool cannot finish. */
const full = (flow: Flow, error: GatewayError): RpcError => {
  flow.fail(error)
  return new RpcError(rpcCodes.internalError, 'Too many questions are open; nobody was asked.')
}

import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../errors.js'
import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Question } from '../../model/asking.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import { type Filled, withDefaults } from '../../model/defaults.js'
import { Flow, type FlowOwner } from './flow.js'

export interface ParkingLimits {
  /** Waiting calls, over all callers. Default 128: below what one tool may run at once. */
  readonly most?: number | undefined
  /** Of one caller. Default 32. */
  readonly mostPerCaller?: number | undefined
  /** UTF-8 bytes of the open questions, over all callers. Default 8 MiB. */
  readonly maxBytes?: number | undefined
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
export const createParking = (clock: Clock, limits: () => ParkingLimits = () => ({})): Parking => {
  const flows = new Map<string, Flow>()
  const waits = new Map<string, Wait>()
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  const used = (): number => [...flows.values()].reduce((sum, flow) => sum + flow.bytes, 0)
  const ofCaller = (caller: string): number => [...flows.values()].filter((flow) => flow.owner.caller === caller).length
  const forget = (flow: Flow): void => {
    stopWaiting(flow)
    // Most calls ask nothing and were never listed.
    if (flows.delete(flow.id)) changed()
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
      const { most, mostPerCaller, maxBytes, longestMs } = withDefaults(defaults, limits())
      const size = Buffer.byteLength(JSON.stringify(question))
      const isNew = !flows.has(flow.id)
      if (isNew && (flows.size >= most || ofCaller(flow.owner.caller) >= mostPerCaller)) throw full(flow)
      if (used() + size > maxBytes || clock.now() - flow.startedAt > longestMs) throw full(flow)
      flow.bytes += size
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
  maxBytes: 8 * 1024 * 1024,
  waitMs: 300_000,
  longestMs: 1_800_000,
} as const satisfies Filled<ParkingLimits>

const leftOf = (wait: Wait | undefined, clock: Clock): number | undefined =>
  wait && Math.max(0, wait.until - clock.now())

const byOperator = (): GatewayError =>
  new GatewayError('CALL_CANCELLED', 'An operator cancelled the call while it waited for an answer. Call it again.')

const neverBack = (): GatewayError =>
  new GatewayError('CALL_CANCELLED', 'The caller did not come back to answer in time; the call was given up.')

/** The whole call is given up: what its caller cannot be asked, its tool cannot finish. */
const full = (flow: Flow): RpcError => {
  const error = new GatewayError('OVERLOADED', 'Too many calls wait for an answer of their caller; try again later.', {
    retryAfterMs: 60_000,
  })
  flow.fail(error)
  return new RpcError(rpcCodes.internalError, 'Too many questions are open; nobody was asked.')
}

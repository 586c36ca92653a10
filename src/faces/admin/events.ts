import type { ServerResponse } from 'node:http'
import type { Clock } from '../../model/clock.js'
import { type Operation, operation } from '../../operations/operation.js'
import { anyObject, words } from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { adminPath } from './admin-operation.js'
import { type ApprovalDesk, waitingOf } from './approvals.js'
import type { CallLog } from './call-log.js'
import type { LoggedCall, Minute } from './calls.js'
import type { ParkedDesk, ParkedRow } from './parked.js'
import { listSources, type SourceBoard, type SourceRow } from './sources.js'

/** What the stream tells, by the names of its events. */
export interface AdminEvents {
  readonly calls: {
    readonly calls: readonly LoggedCall[]
    /** How many more there were than are told. */
    readonly missed: number
    readonly last: number
    readonly minutes: readonly Minute[]
  }
  readonly sources: { readonly sources: readonly SourceRow[] }
  readonly catalog: { readonly version: number; readonly tools: number; readonly held: number }
  readonly parked: { readonly calls: readonly ParkedRow[] }
}

interface EventBoard extends SourceBoard {
  readonly parked: ParkedDesk
  readonly approvals: ApprovalDesk
}

export interface EventOptions {
  readonly board: EventBoard
  readonly log: CallLog
  readonly clock: Clock
  /** What happens within it is told together, so that 500 calls a second are four messages. Default: 250. */
  readonly gatherMs?: number | undefined
  /** A comment after this long without news, so that proxies keep the stream. Default: 15,000. */
  readonly heartbeatMs?: number | undefined
}

const mostCalls = 200
/** States are told at most this often: with the calls that makes ten messages a second, however much happens. */
const statesMs = 500
// A page that stopped reading is let go: it fetches everything anew when it returns.
const maxWaitingBytes = 1024 * 1024

/** What happens, as server-sent events: `calls`, `sources`, `catalog`, `parked`. Nothing runs while nobody listens. */
export const createEvents = ({ board, log, clock, gatherMs = 250, heartbeatMs = 15_000 }: EventOptions) => {
  const streams = new Set<ServerResponse>()
  let told = log.last
  let quietSince = clock.now()
  let toldStatesAt = Number.NEGATIVE_INFINITY
  let changed = nothing
  let cancelTimer: (() => void) | undefined
  const stopWatching = watch(board, (what) => {
    changed = { ...changed, [what]: true }
  })

  const send = <E extends keyof AdminEvents>(event: E, value: AdminEvents[E]): void => {
    quietSince = clock.now()
    write(streams, `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`)
  }
  const tellStates = (): void => {
    if (changed.sources || changed.catalog) send('sources', { sources: listSources(board) })
    if (changed.catalog) send('catalog', { version: board.gateway.catalog.version, ...countsOf(board) })
    if (changed.parked) send('parked', { calls: board.parked.list() })
    changed = nothing
    toldStatesAt = clock.now()
  }
  const tick = (): void => {
    cancelTimer = undefined
    if (streams.size === 0) return
    if (log.last !== told) {
      send('calls', { ...log.after(told, mostCalls), last: log.last, minutes: log.minutesAfter(told) })
      told = log.last
    }
    if (changed !== nothing && clock.now() - toldStatesAt >= statesMs) tellStates()
    if (clock.now() - quietSince > heartbeatMs) {
      quietSince = clock.now()
      write(streams, ': still here\n\n')
    }
    cancelTimer = clock.after(gatherMs, tick)
  }

  const watching: Operation = operation({
    id: 'watchEvents',
    method: 'GET',
    path: `${adminPath}/events`,
    right: 'admin',
    tag: 'events',
    summary: words('What happens, as server-sent events', '以服务器发送事件给出发生的一切'),
    stream: true,
    query: anyObject(),
    answers: {
      200: {
        description: words('`calls`, `sources`, `catalog` and `parked`', '`calls`、`sources`、`catalog` 与 `parked`'),
        type: 'text/event-stream',
      },
    },
    errors: plainErrors,
    run: ({ exchange }) => {
      const { response } = exchange
      const mine = exchange.shares.of('streams')
      const refused = mine.take(exchange.caller.id)
      if (refused) throw refused
      response.writeHead(200, streamHeaders)
      response.write('retry: 2000\n\n')
      if (streams.size === 0) told = log.last
      streams.add(response)
      const unwatch = board.gateway.watchSteps()
      response.once('close', () => {
        streams.delete(response)
        mine.give(exchange.caller.id)
        unwatch()
      })
      exchange.onDrain(() => response.end())
      cancelTimer ??= clock.after(gatherMs, tick)
      return undefined
    },
  })
  return {
    operation: watching,
    close: (): void => {
      cancelTimer?.()
      stopWatching()
      for (const stream of streams) stream.end()
    },
  }
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // nginx would gather the stream.
  'X-Accel-Buffering': 'no',
}

const nothing = { sources: false, catalog: false, parked: false }

const watch = ({ gateway, parked }: EventBoard, on: (what: keyof typeof nothing) => void): (() => void) => {
  const stops = [
    gateway.onSource(() => on('sources')),
    gateway.catalog.onChange(() => on('catalog')),
    parked.onChange(() => on('parked')),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const write = (streams: ReadonlySet<ServerResponse>, text: string): void => {
  for (const stream of streams) {
    if (stream.writableLength > maxWaitingBytes) stream.destroy()
    else stream.write(text)
  }
}

const countsOf = (board: EventBoard) => ({ tools: board.gateway.list().length, held: waitingOf(board) })

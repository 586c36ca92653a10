import type { ServerResponse } from 'node:http'
import type { Route } from '../../http/route.js'
import type { Clock } from '../../model/clock.js'
import { adminPath } from './admin-route.js'
import { waitingOf } from './approvals.js'
import type { AdminBoard } from './board.js'
import type { CallLog } from './call-log.js'
import { listSources } from './sources.js'

export interface EventOptions {
  readonly board: AdminBoard
  readonly log: CallLog
  readonly clock: Clock
  /** What happens within it is told together, so that 500 calls a second are four messages. Default: 250. */
  readonly gatherMs?: number | undefined
  /** A comment after this long without news, so that proxies keep the stream. Default: 15,000. */
  readonly heartbeatMs?: number | undefined
}

const mostStreams = 64
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

  const send = (event: string, value: unknown): void => {
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

  const route: Route = {
    method: 'GET',
    path: `${adminPath}/events`,
    right: 'admin',
    stream: true,
    ownHeaders: true,
    handle: (exchange) => {
      const { response } = exchange
      if (streams.size >= mostStreams) streams.values().next().value?.end()
      response.writeHead(200, streamHeaders)
      response.write('retry: 2000\n\n')
      if (streams.size === 0) told = log.last
      streams.add(response)
      const unwatch = board.gateway.watchSteps()
      response.once('close', () => {
        streams.delete(response)
        unwatch()
      })
      exchange.onDrain(() => response.end())
      cancelTimer ??= clock.after(gatherMs, tick)
    },
  }
  return {
    route,
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

const watch = ({ gateway, parked }: AdminBoard, on: (what: keyof typeof nothing) => void): (() => void) => {
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

const countsOf = (board: AdminBoard) => ({ tools: board.gateway.list().length, held: waitingOf(board) })

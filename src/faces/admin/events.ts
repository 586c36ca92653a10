import type { ServerResponse } from 'node:http'
import type { FeedReader, Others } from '../../fleet/others.js'
import type { HttpExchange } from '../../http/route.js'
import type { Clock } from '../../model/clock.js'
import { type Operation, operation } from '../../operations/operation.js'
import { anyObject, words } from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { adminPath } from './admin-operation.js'
import { type ApprovalDesk, waitingOf } from './approvals.js'
import type { CallLog } from './call-log.js'
import type { LogBoard, LoggedAfter, LoggedCall, Minute } from './calls.js'
import type { ParkedDesk, ParkedRow } from './parked.js'
import { listSources, type SourceBoard, type SourceRow } from './sources.js'
import { type Covered, labelledRows, Pulse } from './whole-fleet.js'

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
  readonly logs: LoggedAfter
  /** Which replicas are seen here, and which are away; only in a fleet. */
  readonly fleet: Covered
}

/** What other replicas tell, for as long as somebody looks here. */
export interface EventFeeds {
  start(reader: FeedReader): void
  stop(): void
  /** Those that live and have told nothing. */
  readonly away: readonly string[]
}

interface EventBoard extends SourceBoard, LogBoard {
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
  /** The other replicas, and what they tell. Default: there are none. */
  readonly others?: Others | undefined
  readonly feeds?: EventFeeds | undefined
}

const mostCalls = 200
const mostLines = 200
/** States and lines are told at most this often: with the calls that makes ten messages a second, however much happens. */
const statesMs = 600
const linesMs = 1000
// A page that stopped reading is let go: it fetches everything anew when it returns.
const maxWaitingBytes = 1024 * 1024

/** What happens, as server-sent events: `calls`, `sources`, `catalog`, `parked`, `logs`. Nothing runs while nobody listens. */
export const createEvents = (options: EventOptions) => {
  const { board, log, clock, others, feeds, gatherMs = 250, heartbeatMs = 15_000 } = options
  /** Of people, who see all replicas; and of replicas, which are told what happens here alone. */
  const streams = new Set<ServerResponse>()
  const replicas = new Set<ServerResponse>()
  const pulse = new Pulse()
  let told = log.last
  let toldLine = board.logsAfter(0, 0).last
  let quietSince = clock.now()
  let toldStatesAt = Number.NEGATIVE_INFINITY
  let toldLinesAt = Number.NEGATIVE_INFINITY
  let changed = nothing
  let cancelTimer: (() => void) | undefined
  const stopWatching = watch(board, (what) => {
    changed = { ...changed, [what]: true }
  })

  const send = <E extends keyof AdminEvents>(event: E, value: AdminEvents[E], to = streams): void => {
    quietSince = clock.now()
    if (to.size > 0) write(to, textOf(event, value))
  }
  const whole = {
    sources: () => {
      const own = listSources(board)
      return { sources: others ? pulse.wholeSources(own, others) : own }
    },
    parked: () => {
      const own = board.parked.list()
      return { calls: others ? pulse.wholeParked(own, others.replica) : own }
    },
    calls: (value: AdminEvents['calls']) =>
      others
        ? {
            ...value,
            calls: labelledRows(value.calls, others.replica),
            minutes: pulse.wholeMinutes(log.minutes(), value.minutes),
          }
        : value,
  }
  const tellStates = (): void => {
    if (changed.sources || changed.catalog) {
      send('sources', whole.sources())
      send('sources', { sources: listSources(board) }, replicas)
    }
    if (changed.catalog) send('catalog', { version: board.gateway.catalog.version, ...countsOf(board) })
    if (changed.parked) {
      send('parked', whole.parked())
      send('parked', { calls: board.parked.list() }, replicas)
    }
    if (changed.fleet && others && feeds)
      send('fleet', { replica: others.replica, replicas: [others.replica, ...pulse.replicas], away: feeds.away })
    changed = nothing
    toldStatesAt = clock.now()
  }
  const tellLines = (): void => {
    const value = board.logsAfter(toldLine, mostLines)
    if (value.last === toldLine) return
    toldLine = value.last
    toldLinesAt = clock.now()
    send('logs', others ? { ...value, lines: labelledRows(value.lines, others.replica) } : value)
    send('logs', value, replicas)
  }
  const tick = (): void => {
    cancelTimer = undefined
    if (streams.size + replicas.size === 0) return
    if (log.last !== told) {
      const value = { ...log.after(told, mostCalls), last: log.last, minutes: log.minutesAfter(told) }
      send('calls', whole.calls(value))
      send('calls', value, replicas)
      told = log.last
    }
    if (clock.now() - toldLinesAt >= linesMs) tellLines()
    if (changed !== nothing && clock.now() - toldStatesAt >= statesMs) tellStates()
    if (clock.now() - quietSince > heartbeatMs) {
      quietSince = clock.now()
      write(streams, ': still here\n\n')
      write(replicas, ': still here\n\n')
    }
    cancelTimer = clock.after(gatherMs, tick)
  }

  /** What another replica told: its calls as they are, its states with ours at the next turn. */
  const reader = {
    told: (replica: string, event: string, data: unknown): void => {
      if (!pulse.replicas.includes(replica)) changed = { ...changed, fleet: true }
      if (event === 'calls') {
        const value = data as AdminEvents['calls']
        pulse.minutes(replica, value.minutes)
        const minutes = pulse.wholeMinutes(log.minutes(), value.minutes)
        if (value.calls.length > 0) send('calls', { ...value, calls: labelledRows(value.calls, replica), minutes })
      } else if (event === 'sources') {
        pulse.sources(replica, (data as AdminEvents['sources']).sources)
        changed = { ...changed, sources: true }
      } else if (event === 'parked') {
        pulse.parked(replica, (data as AdminEvents['parked']).calls)
        changed = { ...changed, parked: true }
      } else if (event === 'logs') {
        const value = data as LoggedAfter
        send('logs', { ...value, lines: labelledRows(value.lines, replica) })
      }
    },
    away: (replica: string): void => {
      pulse.forget(replica)
      changed = { ...changed, sources: true, parked: true, fleet: true }
    },
  }

  const open = (exchange: HttpExchange, among: Set<ServerResponse>): ServerResponse => {
    const { response } = exchange
    const mine = exchange.shares.of('streams')
    const refused = mine.take(exchange.caller.id)
    if (refused) throw refused
    response.writeHead(200, streamHeaders)
    response.write('retry: 2000\n\n')
    if (streams.size + replicas.size === 0) {
      told = log.last
      toldLine = board.logsAfter(0, 0).last
    }
    if (among === streams && streams.size === 0) feeds?.start(reader)
    among.add(response)
    const unwatch = board.gateway.watchSteps()
    response.once('close', () => {
      among.delete(response)
      mine.give(exchange.caller.id)
      unwatch()
      if (among === streams && streams.size === 0) {
        feeds?.stop()
        pulse.clear()
      }
    })
    exchange.onDrain(() => response.end())
    cancelTimer ??= clock.after(gatherMs, tick)
    return response
  }

  const watching: Operation = operation({
    id: 'watchEvents',
    method: 'GET',
    path: `${adminPath}/events`,
    right: 'look',
    tag: 'events',
    summary: words('What happens, as server-sent events', '以服务器发送事件给出发生的一切'),
    stream: true,
    query: anyObject(),
    answers: {
      200: {
        description: words(
          '`calls`, `sources`, `catalog`, `parked` and `logs`; in a fleet `fleet`, of all replicas',
          '`calls`、`sources`、`catalog`、`parked` 与 `logs`；多副本时包含所有副本，并有 `fleet`',
        ),
        type: 'text/event-stream',
      },
    },
    errors: plainErrors,
    run: ({ exchange }) => {
      open(exchange, streams)
      return undefined
    },
  })
  return {
    operation: watching,
    /** Begins with how everything stands: another replica adds it to what it knows of itself. */
    feed: (exchange: HttpExchange): void => {
      const response = open(exchange, replicas)
      response.write(textOf('calls', { calls: [], missed: 0, last: log.last, minutes: log.minutes() }))
      response.write(textOf('sources', { sources: listSources(board) }))
      response.write(textOf('parked', { calls: board.parked.list() }))
    },
    close: (): void => {
      cancelTimer?.()
      stopWatching()
      feeds?.stop()
      for (const stream of [...streams, ...replicas]) stream.end()
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

const textOf = <E extends keyof AdminEvents>(event: E, value: AdminEvents[E]): string =>
  `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`

const nothing = { sources: false, catalog: false, parked: false, fleet: false }

const watch = ({ gateway, parked }: EventBoard, on: (what: keyof typeof nothing) => void): (() => void) => {
  const stops = [
    gateway.onSource(() => on('sources')),
    gateway.catalog.onChange(() => on('catalog')),
    // Prompts and resources are looked at beside the tools.
    gateway.surfaces.subscribe({ changed: () => on('catalog'), updated: () => {} }),
    // Tools are the same, but shown otherwise, or to others.
    gateway.policy.onChange(() => on('catalog')),
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

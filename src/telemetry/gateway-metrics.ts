import { isErrorAnswer } from '../model/answer.js'
import type { RequestKind } from '../model/call.js'
import type { Outcome } from '../model/outcome.js'
import type { BoundRefusals } from '../model/shares.js'
import type { CallListener, CallLoad } from './calls.js'
import type { CounterSeries, HistogramSeries, Metrics } from './metrics.js'

/** How a call ended, for counting: a tool that says no is neither ours nor its source's failure. */
export type CallEnd = 'ok' | 'tool_error' | 'error'

export const endOf = (outcome: Outcome): CallEnd =>
  !outcome.ok ? 'error' : isErrorAnswer(outcome.answer) ? 'tool_error' : 'ok'

/** What is read from the gateway at each scrape of `/metrics`. */
export interface GatewayFacts {
  sources(): readonly {
    readonly name: string
    readonly status: { readonly state: string }
    readonly circuits: readonly { readonly tool: string | undefined }[]
  }[]
  readonly catalog: { readonly size: number }
  load(): CallLoad
  readonly shares: { refusals(): readonly BoundRefusals[] }
}

/** Queues that the gateway's own limits do not count. Read at each scrape; absent where the assembly has no such queue. */
export interface WaitingFacts {
  /** Parked calls: suspended until their caller answers a question. */
  parked?(): number
  /** Bytes that a child process has not read yet, by source. */
  unread?(): readonly { readonly source: string; readonly bytes: number }[]
  /** What waits for somebody's approval: the source of each. */
  held?(): readonly { readonly source: string }[]
}

export interface GatewayMetrics {
  readonly onCall: CallListener
  onSearch(method: string, latencyMs: number, results: number): void
  /** The recall's routes (004-20). */
  readonly recall: { proxied(status: number, latencyMs: number): void; converted(ok: boolean): void }
  follow(gateway: GatewayFacts, waiting?: WaitingFacts): void
}

// As many histograms as a page can carry: each is twenty lines.
const mostTools = 100
// Tools whose series are kept at hand; the others are looked up each time.
const mostAtHand = 1000

/** Where the calls of one tool that end alike are counted, or those of another kind to one source. */
interface CallSeries {
  readonly source: string
  readonly calls: CounterSeries
  readonly toolCalls: CounterSeries | undefined
  readonly attempts: CounterSeries
  readonly bySource: HistogramSeries
  readonly byTool: HistogramSeries | undefined
}

/** All that a gateway counts, under names that the alert rules and the dashboard in `ops/` use. */
export const createGatewayMetrics = (metrics: Metrics): GatewayMetrics => {
  const calls = metrics.counter('pegboard_calls_total', 'Calls by source, how they ended and what they asked for.', [
    'source',
    'outcome',
    'kind',
  ])
  const errors = metrics.counter('pegboard_call_errors_total', 'Failed calls by source and code.', [
    'source',
    'code',
    'kind',
  ])
  const bySource = metrics.histogram('pegboard_call_duration_seconds', 'Time of calls by source.', ['source', 'kind'])
  const byTool = metrics.histogram('pegboard_tool_duration_seconds', 'Time of calls by tool.', ['tool'], {
    maxSeries: mostTools,
  })
  const toolCalls = metrics.counter('pegboard_tool_calls_total', 'Calls by tool and how they ended.', [
    'tool',
    'outcome',
  ])
  const attempts = metrics.counter('pegboard_call_attempts_total', 'How often sources were really asked.', [
    'source',
    'kind',
  ])
  const searches = metrics.counter('pegboard_searches_total', 'Searches by method and whether they found something.', [
    'method',
    'found',
  ])
  const searchTime = metrics.histogram('pegboard_search_duration_seconds', 'Time of searches by method.', ['method'])
  const proxied = metrics.counter('pegboard_recall_proxy_requests_total', 'Requests of the recall proxy by status.', [
    'status',
  ])
  const proxyTime = metrics.histogram('pegboard_recall_proxy_duration_seconds', 'Time of the recall proxy.', [])
  const conversions = metrics.counter('pegboard_schema_conversions_total', 'Schema conversions of the recall.', [
    'outcome',
  ])
  const atHand: Readonly<Record<CallEnd, Map<string, CallSeries>>> = {
    ok: new Map(),
    tool_error: new Map(),
    error: new Map(),
  }
  const seriesOf = (tool: string, source: string, end: CallEnd, kind: RequestKind): CallSeries => {
    // Addresses are endless: what is no tool is counted by its source alone.
    const key = kind === 'tool' ? tool : `${kind}\0${source}`
    const known = atHand[end].get(key)
    if (known?.source === source) return known
    const isTool = kind === 'tool'
    const made: CallSeries = {
      source,
      calls: calls.series({ source, outcome: end, kind }),
      toolCalls: isTool ? toolCalls.series({ tool, outcome: end }) : undefined,
      attempts: attempts.series({ source, kind }),
      bySource: bySource.series({ source, kind }),
      byTool: isTool ? byTool.series({ tool }) : undefined,
    }
    if (known || atHand[end].size < mostAtHand) atHand[end].set(key, made)
    return made
  }

  return {
    onCall: (record, _call, outcome) => {
      // A name that is no tool's is the caller's own words: it gets no series.
      const source = record.source ?? '(none)'
      const tool = record.source === undefined ? '(unknown)' : record.tool
      const { kind } = record
      const seconds = record.latencyMs / 1000
      const series = seriesOf(tool, source, endOf(outcome), kind)
      series.calls.add(1)
      series.toolCalls?.add(1)
      if (record.code) errors.add({ source, code: record.code, kind })
      series.attempts.add(record.attempts)
      series.bySource.observe(seconds)
      series.byTool?.observe(seconds)
    },
    onSearch: (method, latencyMs, results) => {
      searches.add({ method, found: String(results > 0) })
      searchTime.observe({ method }, latencyMs / 1000)
    },
    recall: {
      proxied: (status, latencyMs) => {
        proxied.add({ status: String(status) })
        proxyTime.observe({}, latencyMs / 1000)
      },
      converted: (ok) => conversions.add({ outcome: ok ? 'ok' : 'error' }),
    },
    follow: (gateway, waiting = {}) => {
      followLoad(metrics, gateway, waiting)
      followRefusals(metrics, gateway)
      const states = metrics.gauge('pegboard_source_state', '1 for the state each source is in.', ['source', 'state'])
      const circuits = metrics.gauge(
        'pegboard_circuits_open',
        'What is left alone because it failed repeatedly, by source and scope: the source itself, or so many tools.',
        ['source', 'scope'],
      )
      const tools = metrics.gauge('pegboard_tools', 'Tools in the catalog.', [])
      const memory = metrics.gauge('process_resident_memory_bytes', 'Resident memory of this process.', [])
      const cpu = metrics.gauge('process_cpu_seconds_total', 'CPU time of this process.', [])
      metrics.onScrape(() => {
        states.clear()
        circuits.clear()
        for (const { name, status, circuits: open } of gateway.sources()) {
          states.set({ source: name, state: status.state }, 1)
          const whole = open.filter(({ tool }) => tool === undefined).length
          circuits.set({ source: name, scope: 'source' }, whole)
          circuits.set({ source: name, scope: 'tool' }, open.length - whole)
        }
        tools.set({}, gateway.catalog.size)
        memory.set({}, process.memoryUsage.rss())
        const { user, system } = process.cpuUsage()
        cpu.set({}, (user + system) / 1e6)
      })
    },
  }
}

/** Who was refused because a caller, or all of them together, held as much as may be. */
const followRefusals = (metrics: Metrics, { shares }: GatewayFacts): void => {
  const refusals = metrics.counter(
    'pegboard_bound_refusals_total',
    'Refusals by what there would have been too much of, and whether that was one caller’s bound or that of all.',
    ['bound', 'whose'],
  )
  const told = new Map<string, number>()
  metrics.onScrape(() => {
    for (const { bound, whose, count } of shares.refusals()) {
      const key = `${bound} ${whose}`
      refusals.add({ bound, whose }, count - (told.get(key) ?? 0))
      told.set(key, count)
    }
  })
}

/** Read off counters that are kept anyway, so that a call pays nothing for them. */
const followLoad = (metrics: Metrics, gateway: GatewayFacts, { parked, unread, held }: WaitingFacts): void => {
  const running = metrics.gauge('pegboard_calls_in_flight', 'Calls running now, by source.', ['source'])
  const waiting = metrics.gauge('pegboard_calls_waiting', 'Calls waiting for a place now, by source.', ['source'])
  const limits = metrics.gauge('pegboard_calls_limit', 'The most calls there may be, by kind.', ['kind'])
  const parkedCalls = metrics.gauge('pegboard_calls_parked', 'Calls waiting for their callers to answer.', [])
  const heldBack = metrics.gauge('pegboard_held_back', 'What is held back until somebody approves it.', ['source'])
  const unreadBytes = metrics.gauge('pegboard_stdio_unread_bytes', 'Bytes a child process has yet to read.', ['source'])
  metrics.onScrape(() => {
    const load = gateway.load()
    // A source without calls is 0, not absent: a graph must come down again.
    for (const gauge of [running, waiting]) {
      gauge.clear()
      for (const { name } of gateway.sources()) gauge.set({ source: name }, 0)
    }
    for (const each of load.sources) {
      running.set({ source: each.source }, each.running)
      waiting.set({ source: each.source }, each.waiting)
    }
    limits.set({ kind: 'running' }, load.limits.running)
    limits.set({ kind: 'running_per_tool' }, load.limits.runningPerTool)
    limits.set({ kind: 'waiting' }, load.limits.waiting)
    parkedCalls.set({}, parked?.() ?? 0)
    heldBack.clear()
    for (const { name } of gateway.sources()) heldBack.set({ source: name }, 0)
    for (const [source, all] of countsOf(held?.() ?? [])) heldBack.set({ source }, all)
    unreadBytes.clear()
    for (const { source, bytes } of unread?.() ?? []) unreadBytes.set({ source }, bytes)
  })
}

const countsOf = (held: readonly { readonly source: string }[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { source } of held) counts.set(source, (counts.get(source) ?? 0) + 1)
  return counts
}

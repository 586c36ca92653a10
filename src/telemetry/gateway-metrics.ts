import { isErrorAnswer } from '../model/answer.js'
import type { Outcome } from '../model/outcome.js'
import type { CallListener } from './calls.js'
import type { Metrics } from './metrics.js'

/** How a call ended, for counting: a tool that says no is neither ours nor its source's failure. */
export type CallEnd = 'ok' | 'tool_error' | 'error'

export const endOf = (outcome: Outcome): CallEnd =>
  !outcome.ok ? 'error' : isErrorAnswer(outcome.answer) ? 'tool_error' : 'ok'

/** What a gateway is asked about on each page. */
export interface GatewayFacts {
  sources(): readonly { readonly name: string; readonly status: { readonly state: string } }[]
  readonly catalog: { readonly size: number }
}

export interface GatewayMetrics {
  readonly onCall: CallListener
  /** A call began; the returned function says that it ended. */
  began(): () => void
  onSearch(method: string, latencyMs: number, results: number): void
  /** The recall's routes (004-20). */
  readonly recall: { proxied(status: number, latencyMs: number): void; converted(ok: boolean): void }
  follow(gateway: GatewayFacts): void
}

// As many histograms as a page can carry: each is twenty lines.
const mostTools = 100

/** All that a gateway counts, under names that the alert rules and the dashboard in `ops/` use. */
export const createGatewayMetrics = (metrics: Metrics): GatewayMetrics => {
  const calls = metrics.counter('pegboard_calls_total', 'Calls by source and how they ended.', ['source', 'outcome'])
  const errors = metrics.counter('pegboard_call_errors_total', 'Failed calls by source and code.', ['source', 'code'])
  const bySource = metrics.histogram('pegboard_call_duration_seconds', 'Time of calls by source.', ['source'])
  const byTool = metrics.histogram('pegboard_tool_duration_seconds', 'Time of calls by tool.', ['tool'], {
    maxSeries: mostTools,
  })
  const toolCalls = metrics.counter('pegboard_tool_calls_total', 'Calls by tool and how they ended.', [
    'tool',
    'outcome',
  ])
  const attempts = metrics.counter('pegboard_call_attempts_total', 'How often sources were really asked.', ['source'])
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
  const inFlight = metrics.gauge('pegboard_calls_in_flight', 'Calls running or waiting for a place now.', [])
  let running = 0

  return {
    onCall: (record, _call, outcome) => {
      // A name that is no tool's is the caller's own words: it gets no series.
      const source = record.source ?? '(none)'
      const tool = record.source === undefined ? '(unknown)' : record.tool
      const end = endOf(outcome)
      const seconds = record.latencyMs / 1000
      calls.add({ source, outcome: end })
      toolCalls.add({ tool, outcome: end })
      if (record.code) errors.add({ source, code: record.code })
      if (record.attempts > 0) attempts.add({ source }, record.attempts)
      bySource.observe({ source }, seconds)
      byTool.observe({ tool }, seconds)
    },
    began: () => {
      running += 1
      return () => void (running -= 1)
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
    follow: (gateway) => {
      const states = metrics.gauge('pegboard_source_state', '1 for the state each source is in.', ['source', 'state'])
      const tools = metrics.gauge('pegboard_tools', 'Tools in the catalog.', [])
      const memory = metrics.gauge('process_resident_memory_bytes', 'Resident memory of this process.', [])
      const cpu = metrics.gauge('process_cpu_seconds_total', 'CPU time of this process.', [])
      metrics.onScrape(() => {
        states.clear()
        for (const { name, status } of gateway.sources()) states.set({ source: name, state: status.state }, 1)
        tools.set({}, gateway.catalog.size)
        inFlight.set({}, running)
        memory.set({}, process.memoryUsage.rss())
        const { user, system } = process.cpuUsage()
        cpu.set({}, (user + system) / 1e6)
      })
    },
  }
}

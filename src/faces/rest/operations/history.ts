import { GatewayError } from '../../../errors.js'
import type { Others } from '../../../fleet/others.js'
import { notFound } from '../../../http/http-error.js'
import type { Caller } from '../../../model/caller.js'
import type { JsonObject } from '../../../model/json.js'
import { isOfRun } from '../../../model/run-id.js'
import { type Operation, operation } from '../../../operations/operation.js'
import {
  anyObject,
  closed,
  described,
  flag,
  integer,
  list,
  otherwise,
  shape,
  text,
  words,
} from '../../../operations/shape.js'
import type { AuditLog } from '../../../telemetry/audit-file.js'
import type { CallHistory } from '../../../telemetry/call-history.js'
import type { CallRecord } from '../../../telemetry/calls.js'
import type { Metrics } from '../../../telemetry/metrics.js'
import { replicaField } from '../schemas.js'

const name = text({ maxLength: 512 })

/** `GET /api/v1/calls`: what was called last. */
export const recentCalls = (history: CallHistory, others?: Others | undefined): Operation =>
  operation({
    id: 'listCalls',
    method: 'GET',
    path: '/api/v1/calls',
    right: 'discover',
    tag: 'calls',
    summary: words(
      'The last calls, newest first: your own, or with the right "admin" everybody’s',
      '最近的调用，最新的在前：自己的；有 "admin" 权限时为所有人的',
    ),
    query: closed({
      limit: otherwise(integer({ minimum: 1, maximum: 1000 }), 100),
      tool: name,
      source: name,
      caller: described(
        name,
        'With the right to look: only calls of this caller',
        '有查看权限者可用：只看此调用者的调用',
      ),
      ok: flag(),
      run: described(text({ maxLength: 64 }), 'Only a script and the calls in it', '只看一个脚本及其中的调用'),
      replica: replicaField,
    }),
    answers: {
      200: {
        description: words('Names, times and sizes; never arguments', '名称、时间与大小；不含参数'),
        schema: shape(
          { calls: list(anyObject()) },
          {
            covers: described(
              shape({ replicas: list(text()), away: list(text()) }),
              'In a fleet: whose calls these are, and which replicas did not say',
              '多副本时：这些调用来自哪些副本，哪些副本没有应答',
            ),
          },
        ),
      },
    },
    run: async ({ caller, query, exchange }) => {
      const whose = caller.rights.includes('look') ? query.caller : caller.id
      const { limit, tool, source, ok, run } = query
      const calls = history.list(
        limit,
        (record) =>
          (whose === undefined || record.caller === whose) &&
          (tool === undefined || record.tool === tool) &&
          (source === undefined || record.source === source) &&
          (run === undefined || isOfRun(record.run, run)) &&
          (ok === undefined || record.ok === ok),
      )
      const own = calls.map(({ record }) => toCallRecord(record))
      if (!others || exchange.passedBy !== undefined) return { json: { calls: own } }
      return {
        json: await callsOfAll(others, { own, caller, replica: query.replica, limit, target: exchange.request.url }),
      }
    },
  })

interface Asked {
  readonly own: readonly ReturnType<typeof toCallRecord>[]
  readonly caller: Caller
  readonly replica: string | undefined
  readonly limit: number
  readonly target: string | undefined
}

/** Ours and theirs, newest first, each with its replica; each replica shows this caller what it would show it itself. */
const callsOfAll = async (others: Others, { own, caller, replica, limit, target = '/' }: Asked) => {
  const mine = { replica: others.replica, answer: { calls: own } as unknown as JsonObject | undefined }
  if (replica !== undefined && replica !== others.replica && !others.names().includes(replica))
    throw notFound(`There is no replica named '${replica.slice(0, 64)}' now.`)
  const asked = replica === others.replica ? [] : await others.ask(target, caller)
  const said = [mine, ...asked].filter((each) => replica === undefined || each.replica === replica)
  const calls = said.flatMap(({ replica: at, answer }) =>
    ((answer?.calls ?? []) as JsonObject[]).map((call): JsonObject => ({ ...call, replica: at })),
  )
  return {
    calls: calls.sort((one, other) => String(other.at).localeCompare(String(one.at))).slice(0, limit),
    covers: {
      replicas: said.flatMap((each) => (each.answer ? [each.replica] : [])),
      away: said.flatMap((each) => (each.answer ? [] : [each.replica])),
    },
  }
}

/** `GET /api/v1/audit`: the trail that survives restarts. */
export const readAudit = (audit: AuditLog): Operation =>
  operation({
    id: 'readAudit',
    method: 'GET',
    path: '/api/v1/audit',
    right: 'admin',
    tag: 'calls',
    summary: words('The audit trail, newest first', '审计记录，最新的在前'),
    query: closed({ limit: otherwise(integer({ minimum: 1, maximum: 1000 }), 100), tool: name, caller: name }),
    answers: {
      200: {
        description: words(
          'Who called what, when, how it ended, and how large it was',
          '谁在何时调用了什么，结果如何，大小多少',
        ),
        schema: shape({ entries: list(anyObject()) }),
      },
    },
    run: async ({ query }) => ({ json: { entries: await audit.read(query) } }),
  })

/** What several processes counted together. */
export interface MetricsOfAll {
  text(): Promise<string>
}

/** `GET /metrics`: for Prometheus. */
export const readMetrics = (metrics: Pick<Metrics, 'text'> | MetricsOfAll): Operation =>
  operation({
    id: 'metrics',
    method: 'GET',
    path: '/metrics',
    right: 'discover or look',
    tag: 'metrics',
    summary: words('Counters and histograms for Prometheus', '供 Prometheus 读取的计数与直方图'),
    answers: { 200: { description: words('Prometheus text format', 'Prometheus 文本格式'), type: 'text/plain' } },
    run: async ({ caller }) => {
      // The page names tools of all profiles, and hidden tools must stay hidden.
      if (isTied(caller) && !caller.rights.includes('look'))
        throw new GatewayError(
          'ACCESS_DENIED',
          'Who is tied to profiles may not read the metrics of all of them without the right "look".',
        )
      return {
        text: await metrics.text(),
        type: 'text/plain; version=0.0.4; charset=utf-8',
        headers: { 'Cache-Control': 'no-store' },
      }
    },
  })

const isTied = ({ profile, profiles }: Caller): boolean => (profiles ? !profiles.includes('*') : profile !== undefined)

/** A call as programs read of it: its end as ISO 8601 has it, times to the microsecond. */
export const toCallRecord = ({ at, latencyMs, ...record }: CallRecord) => ({
  at: new Date(at).toISOString(),
  ...record,
  latencyMs: Math.round(latencyMs * 1000) / 1000,
})

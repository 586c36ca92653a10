import type { Others } from '../../fleet/others.js'
import type { CallReader, OneCall } from '../../history/reader.js'
import { notFound } from '../../http/http-error.js'
import type { Caller } from '../../model/caller.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import { type Operation, operation } from '../../operations/operation.js'
import { closed, flag, list, text, type ValueOf, words } from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { actorOf } from '../../telemetry/deed.js'
import { adminOperation, adminPath } from './admin-operation.js'
import type { AuditDesk } from './audit.js'
import { formatOf } from './audit-query.js'
import type { NextPage } from './history-export.js'
import {
  type callFigures,
  historyAnswer,
  historyEntry,
  type keptCall,
  replayAnswer,
  type replayedCall,
  statsAnswer,
} from './history-shapes.js'

export type HistoryCall = ValueOf<typeof keptCall>
export type HistoryAnswer = ValueOf<typeof historyAnswer>
export type HistoryEntry = ValueOf<typeof historyEntry>
export type HistoryFigures = ValueOf<typeof callFigures>
export type HistoryStats = ValueOf<typeof statsAnswer>
export type ReplayedCall = ValueOf<typeof replayedCall>
export type ReplayAnswer = ValueOf<typeof replayAnswer>

/** What a replay is told of whoever wants it. */
export interface ReplayOrder {
  readonly caller: Caller
  readonly signal: CancelSignal
  /** Tools too of which nobody says that they only read. */
  readonly confirm: boolean
  /** The call and what was said in it, where another replica keeps it. */
  readonly entry?: HistoryEntry | undefined
}

/** The store of calls, as administration reads it. */
export interface HistoryDesk {
  /** False where nothing is kept now. */
  isKept(): boolean
  reader(): Promise<CallReader>
  replay(id: string, order: ReplayOrder): Promise<ReplayedCall>
}

interface HistoryBoard {
  readonly history: HistoryDesk
  readonly audit: Pick<AuditDesk, 'note'>
}

interface HistoryAround {
  readonly clock: Clock
  readonly others?: Others | undefined
}

const exportPage = 500

// Loaded when somebody looks: a start has no use for them.
const whole = () => import('./whole-history.js')
const queries = () => import('./history-query.js')

/** Which calls there were, over restarts; `/calls` has those of this process, as they happen. */
export const historyOperations = (
  { history, audit }: HistoryBoard,
  { clock, others }: HistoryAround,
): readonly Operation[] => [
  adminOperation({
    id: 'listHistory',
    method: 'GET',
    path: '/history',
    right: 'look',
    summary: words(
      'Calls that are kept, newest first: ?from, to, tool, source, client, caller, profile, kind, outcome (ok, failed), code, run, text, limit, cursor',
      '保存的调用，最新的在前：?from、to、tool、source、client、caller、profile、kind、outcome（ok、failed）、code、run、text、limit、cursor',
    ),
    answer: historyAnswer,
    run: async (request) => {
      const [{ wholeList }, { callsAsked }] = await Promise.all([whole(), queries()])
      return wholeList(history, others, request, callsAsked(request.exchange.query))
    },
  }),
  adminOperation({
    id: 'readHistoryStats',
    method: 'GET',
    path: '/history-stats',
    right: 'look',
    summary: words(
      'Calls in figures: totals, a series and percentiles; filtered as the list, with ?from, to, bucketMs, by (tool, source, client, caller, profile, code), most',
      '调用统计：总数、时间序列与百分位；筛选条件同列表，另有 ?from、to、bucketMs、by（tool、source、client、caller、profile、code）、most',
    ),
    answer: statsAnswer,
    run: async (request) => {
      const [{ wholeStats }, { statsAsked }] = await Promise.all([whole(), queries()])
      return wholeStats(history, others, request, statsAsked(request.exchange.query, clock.wall()))
    },
  }),
  operation({
    id: 'exportHistory',
    method: 'GET',
    path: `${adminPath}/history-export`,
    right: 'look',
    tag: 'history',
    summary: words(
      'The calls as a file, ?format=jsonl or csv, filtered as the list; itself a line of the audit trail',
      '以文件形式导出调用，?format=jsonl 或 csv，筛选条件同列表；导出本身会记入审计',
    ),
    query: { type: 'object' },
    answers: {
      200: {
        description: words('The calls, newest first', '调用，最新的在前'),
        type: 'application/x-ndjson',
        also: 'text/csv',
      },
    },
    errors: plainErrors,
    run: async (request) => {
      const { exchange, caller } = request
      const [{ wholeList }, { callsAsked }, { sendCalls }] = await Promise.all([
        whole(),
        queries(),
        import('./history-export.js'),
      ])
      const format = formatOf(exchange.query.get('format'))
      const asked = { ...callsAsked(exchange.query), limit: exportPage }
      const page: NextPage = (cursor) => wholeList(history, others, request, { ...asked, cursor })
      const count = await sendCalls(page, format, exchange.response)
      const outcome = exchange.response.destroyed ? 'failed' : 'ok'
      const on = { type: 'history', id: format }
      audit.note({ kind: 'export', action: 'end', on, actor: actorOf(caller, 'api'), outcome, count })
      return undefined
    },
  }),
  adminOperation({
    id: 'replayCalls',
    deed: {
      ...{ kind: 'source', action: 'replay' },
      on: ({ body }: { readonly body: { readonly ids: readonly string[] } }) =>
        body.ids.map((id) => ({ type: 'call', id })),
    },
    method: 'POST',
    path: '/history/replay',
    right: 'operate',
    summary: words(
      'Make calls again whose arguments were kept, as whoever asks, and compare the results; with `confirm` also of tools of which nobody says that they only read',
      '以请求者的身份重新执行保存了参数的调用并比较结果；未声明只读的工具需要 `confirm`',
    ),
    body: closed({ ids: list(text({ maxLength: 64 }), { minItems: 1, maxItems: 50 }), confirm: flag() }, ['ids']),
    answer: replayAnswer,
    run: async (request) => {
      const { ids, confirm = false } = request.body
      const { caller, exchange } = request
      const { elsewhere } = await whole()
      const isHere = async (id: string) => (await (await history.reader()).one(id)) !== undefined
      const calls: ReplayedCall[] = []
      // One after another: what was done in a row may only work in that row.
      for (const id of ids) {
        if (exchange.cancel.aborted) break
        const entry = (await isHere(id)) ? undefined : await elsewhere(others, request, id)
        const replayed = await history.replay(id, { caller, signal: exchange.cancel, confirm, entry })
        calls.push(seesValues(caller) ? replayed : withoutValues(replayed))
      }
      return { calls }
    },
  }),
  adminOperation({
    id: 'readHistory',
    method: 'GET',
    path: '/history/:id',
    right: 'look',
    summary: words(
      'One call; what was said in it only where that was kept, for readers with the right `admin`',
      '一次调用；仅在保存了内容且读者拥有 `admin` 权限时显示其参数与结果',
    ),
    params: { id: words('The id of the call', '调用 id') },
    answer: historyEntry,
    run: async (request) => {
      const id = request.params.id!
      const found = await (await history.reader()).one(id)
      const entry = found ? entryFor(request.caller, found) : await (await whole()).elsewhere(others, request, id)
      if (entry) return entry
      throw notFound(`There is no call '${id.slice(0, 64)}' in the history; it may have been let go.`)
    },
  }),
]

// Arguments are as private as what the audit trail keeps of them, which only admins read.
const seesValues = ({ rights }: Caller): boolean => rights.includes('admin')

const entryFor = (caller: Caller, { call, values }: OneCall): HistoryEntry => {
  if (!values) return { call, values: 'none' }
  return seesValues(caller) ? { call, values: 'shown', ...values } : { call, values: 'withheld' }
}

const withoutValues = ({ differences, ...replayed }: ReplayedCall): ReplayedCall => ({
  ...replayed,
  differences: differences?.map(({ at, change }) => ({ at, change })),
})

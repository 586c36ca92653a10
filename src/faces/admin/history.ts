import type { Others } from '../../fleet/others.js'
import { splits } from '../../history/query.js'
import { requestKinds, waysIn } from '../../model/call.js'
import { type Operation, operation } from '../../operations/operation.js'
import {
  choice,
  closed,
  flag,
  integer,
  list,
  number,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { adminOperation, adminPath } from './admin-operation.js'
import { covered } from './whole-fleet.js'

/** Where the time went; the three are the whole latency. */
const timeSpent = shape({ waitingMs: number(), sourceMs: number(), ownMs: number() })

/** One call as it is kept: names, sizes and times. */
export const keptCall = shape(
  {
    /** A link with it finds the call until that is let go: `/console/history/ID`. */
    id: text(),
    at: integer(),
    kind: choice(requestKinds),
    tool: text(),
    caller: text(),
    profile: text(),
    face: choice(waysIn),
    ok: flag(),
    latencyMs: number(),
    spent: timeSpent,
    attempts: integer(),
    cached: flag(),
    /** Its arguments and its result were kept: it can be looked into, and made again. */
    hasValues: flag(),
  },
  {
    source: text(),
    /** For people to read. */
    callerName: text(),
    /** The program that asked, by its own word. */
    client: text(),
    clientVersion: text(),
    /** The revision of MCP that was spoken. */
    protocol: text(),
    code: text(),
    message: text(),
    /** The tool answered, and its answer says that it failed. */
    isError: of<true>({ const: true }),
    argumentBytes: integer(),
    resultBytes: integer(),
    argumentTokens: integer(),
    resultTokens: integer(),
    cost: number(),
    run: text(),
    step: integer(),
    script: shape({ sha256: text(), bytes: integer() }),
    rule: text(),
    grant: text(),
    /** Where it was made; only in a fleet. */
    replica: text(),
  },
)

/** What was kept of one side of a call: JSON, without what was found to be secret. */
const keptValue = shape(
  { value: of<unknown>({}), bytes: integer() },
  {
    /** It was longer than what is kept of one: `value` is the beginning of its text. */
    cut: of<true>({ const: true }),
  },
)

const historyAnswer = shape(
  {
    calls: list(keptCall),
    /** False where nothing is kept: `history: off`, or data in memory alone. */
    kept: flag(),
  },
  {
    /** Where to go on, as `cursor`; not there at the end. */
    next: text(),
    /** When the oldest call ended that is still kept. */
    oldest: integer(),
    covers: covered,
  },
)

/** `shown`; `none`: they were not kept; `withheld`: they are, and reading them needs the right `admin`. */
const valuesStates = ['shown', 'none', 'withheld'] as const

const historyEntry = shape(
  { call: keptCall, values: choice(valuesStates) },
  { arguments: keptValue, result: keptValue },
)

const figures = {
  calls: integer(),
  errors: integer(),
  cached: integer(),
  /** Percentiles are right within two hundredths. */
  p50Ms: number(),
  p95Ms: number(),
  p99Ms: number(),
  maxMs: number(),
  meanMs: number(),
  /** Sums. */
  waitingMs: number(),
  sourceMs: number(),
  ownMs: number(),
  argumentBytes: integer(),
  resultBytes: integer(),
  argumentTokens: integer(),
  resultTokens: integer(),
  cost: number(),
}

const callFigures = shape(figures)
/** `at` is where it begins. */
const statsPoint = shape({ at: integer(), ...figures })
const statsRow = shape({ name: text(), ...figures })

const statsAnswer = shape(
  {
    kept: flag(),
    from: integer(),
    to: integer(),
    bucketMs: integer(),
    totals: callFigures,
    /** Oldest first; those without calls are not there. */
    series: list(statsPoint),
  },
  {
    by: choice(splits),
    /** With `by`: the most called first. */
    split: list(statsRow),
    /** What is behind the last row of the split, together. */
    rest: shape({ names: integer(), ...figures }),
    covers: covered,
  },
)

/** `same`, `different`: it answered; `failed`: it did not, while the kept one did; `cannot`: see the reason; `unconfirmed`: nobody vouches that the tool only reads, so it asks for `confirm`. */
const verdicts = ['same', 'different', 'failed', 'cannot', 'unconfirmed'] as const

const difference = shape(
  {
    /** Where in the result, as a JSON Pointer; `""` is all of it. */
    at: text(),
    change: choice(['added', 'removed', 'changed']),
  },
  {
    /** The beginning of the JSON text; both only for readers with the right `admin`. */
    before: text(),
    after: text(),
  },
)

const replayedCall = shape(
  { id: text(), verdict: choice(verdicts) },
  {
    tool: text(),
    /** Why it cannot be made again, or what went wrong. */
    reason: text(),
    code: text(),
    latencyMs: number(),
    /** How long it took then. */
    keptLatencyMs: number(),
    /** At most 50 of them. */
    differences: list(difference),
    /** There are more than those. */
    more: of<true>({ const: true }),
  },
)

const replayAnswer = shape({ calls: list(replayedCall) })

export type HistoryCall = ValueOf<typeof keptCall>
export type HistoryAnswer = ValueOf<typeof historyAnswer>
export type HistoryEntry = ValueOf<typeof historyEntry>
export type HistoryFigures = ValueOf<typeof callFigures>
export type HistoryStats = ValueOf<typeof statsAnswer>
export type ReplayedCall = ValueOf<typeof replayedCall>
export type ReplayAnswer = ValueOf<typeof replayAnswer>

/** The store of calls, as administration reads it. */
export interface HistoryDesk {
  readonly kept: boolean
}

interface HistoryAround {
  readonly others?: Others | undefined
}

const noFigures: HistoryFigures = {
  ...{ calls: 0, errors: 0, cached: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0, meanMs: 0 },
  ...{ waitingMs: 0, sourceMs: 0, ownMs: 0, cost: 0 },
  ...{ argumentBytes: 0, resultBytes: 0, argumentTokens: 0, resultTokens: 0 },
}

/** Which calls there were, over restarts; `/calls` has those of this process, as they happen. */
export const historyOperations = (
  { history }: { readonly history: HistoryDesk },
  _around: HistoryAround,
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
    run: () => ({ calls: [], kept: history.kept }),
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
    run: () => ({ kept: history.kept, from: 0, to: 0, bucketMs: 60_000, totals: noFigures, series: [] }),
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
    run: () => ({ text: '', type: 'application/x-ndjson' }),
  }),
  adminOperation({
    id: 'replayCalls',
    method: 'POST',
    path: '/history/replay',
    right: 'operate',
    summary: words(
      'Make calls again whose arguments were kept, as whoever asks, and compare the results; with `confirm` also of tools of which nobody says that they only read',
      '以请求者的身份重新执行保存了参数的调用并比较结果；未声明只读的工具需要 `confirm`',
    ),
    body: closed({ ids: list(text({ maxLength: 64 }), { minItems: 1, maxItems: 50 }), confirm: flag() }, ['ids']),
    answer: replayAnswer,
    run: ({ body }) => ({
      calls: body.ids.map((id) => ({ id, verdict: 'cannot' as const, reason: 'Nothing is kept.' })),
    }),
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
    run: () => {
      throw new Error('unfinished')
    },
  }),
]

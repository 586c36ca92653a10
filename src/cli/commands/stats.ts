import type { LoggedCall, Minute } from '../../faces/admin/calls.js'
import type { HistoryFigures } from '../../faces/admin/history.js'
import type { ParkedRow } from '../../faces/admin/parked.js'
import type { SourceRow } from '../../faces/admin/sources.js'
import { say } from '../../serving/locale.js'
import type { CallStats } from '../../telemetry/calls.js'
import { plainText } from '../../telemetry/plain-text.js'
import { shortReason } from '../terminal/short-reason.js'
import { stateHere } from '../terminal/source-words.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { openAdminClient } from './admin-client.js'
import { askedBy, type KeptCallFlags, openKeptCalls } from './kept-calls.js'

/** What `GET /overview` answers, as far as it is used here. */
export interface StatsOverview {
  readonly version: string
  readonly startedAt: number
  readonly now: number
  readonly sources: readonly SourceRow[]
  readonly tools: number
  readonly held: number
  readonly parked: readonly ParkedRow[]
  readonly stats: CallStats
  readonly minutes: readonly Minute[]
  readonly profile?: { readonly tokens: number; readonly flatTokens: number } | undefined
  readonly failures: readonly LoggedCall[]
}

/** `pegboard stats`: how the running gateway is doing; with a time or a split, calls in figures, running or not. */
export const stats = async (flags: KeptCallFlags): Promise<void> => {
  if ([...askedBy(flags).keys()].length > 0) return callStats(flags)
  const client = await openAdminClient(flags)
  const overview = await client.get<StatsOverview>('/overview')
  print(flags, overview, [...summary(overview, client.address), '', sourceTable(overview.sources)])
}

const callStats = async (flags: KeptCallFlags): Promise<void> => {
  const asked = askedBy(flags)
  // Of the last day, where only a split is asked for.
  const told = await (await openKeptCalls(flags)).stats(asked)
  const { totals, split, rest, by } = told
  const rows = [
    ...(split ?? []).map(({ name, ...figures }) => [plainText(name) || '–', ...cells(figures)]),
    ...(rest ? [[say(`${rest.names} more`, `其余 ${rest.names} 个`), ...cells(rest)]] : []),
    ...(split && split.length === 1 ? [] : [[say('all', '全部'), ...cells(totals)]]),
  ]
  const span = [told.from, told.to].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '))
  print(flags, told, [
    painted('dim', `${span.join(' – ')} UTC`),
    by === undefined ? table(figures, [cells(totals)]) : table([by.toUpperCase(), ...figures], rows),
  ])
}

const figures = ['CALLS', 'ERRORS', 'P50 MS', 'P95 MS', 'P99 MS', 'TOKENS', 'COST'] as const

const cells = ({ calls, errors, p50Ms, p95Ms, p99Ms, argumentTokens, resultTokens, cost }: HistoryFigures) => [
  String(calls),
  String(errors),
  ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)),
  String(argumentTokens + resultTokens),
  cost === 0 ? '' : cost.toFixed(4),
]

/** The three lines that say most. */
export const summary = (overview: StatsOverview, address: string): readonly string[] => {
  const { version, startedAt, now, stats: counted, minutes, tools, held, parked, profile } = overview
  const mean = counted.calls === 0 ? 0 : counted.totalLatencyMs / counted.calls
  const minute = minutes.at(-1)
  return [
    say(
      `pegboard ${version} at ${address}, up ${duration(now - startedAt)}`,
      `pegboard ${version}，地址 ${address}，已运行 ${duration(now - startedAt)}`,
    ),
    say(
      `calls ${counted.calls}, errors ${counted.errors}, mean ${mean.toFixed(1)} ms, this minute ${minute?.calls ?? 0}`,
      `调用 ${counted.calls}，错误 ${counted.errors}，平均 ${mean.toFixed(1)} 毫秒，本分钟 ${minute?.calls ?? 0}`,
    ) + marked(parked.length, 'waiting for an answer (pegboard waiting)', '个等待回答（pegboard waiting）'),
    say(`tools ${tools}`, `工具 ${tools}`) +
      marked(held, 'held back (pegboard approvals)', '个被扣留（pegboard approvals）') +
      (profile
        ? say(
            `, list about ${profile.tokens} tokens (all of them: ${profile.flatTokens})`,
            `，列表约 ${profile.tokens} token（全部列出：${profile.flatTokens}）`,
          )
        : ''),
  ]
}

/** A number that somebody should look at; nothing where it is zero. */
const marked = (number: number, en: string, zh: string): string =>
  number === 0 ? '' : `${say(', ', '，')}${painted('yellow', `${number} ${say(en, zh)}`)}`

/** Sources with their states. */
export const sourceTable = (sources: readonly SourceRow[]): string =>
  sources.length === 0
    ? say('No sources.', '没有来源。')
    : table(
        ['SOURCE', 'KIND', 'STATE', 'TOOLS', 'REASON'],
        sources.map(({ name, kind, state, tools, reason, circuits = [] }) => [
          name,
          kind,
          stateHere(state, circuits),
          String(tools),
          shortReason(reason ?? circuits[0]?.reason ?? ''),
        ]),
      )

const duration = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return say(`${Math.floor(ms / 1000)} s`, `${Math.floor(ms / 1000)} 秒`)
  const hours = Math.floor(minutes / 60)
  return minutes < 60
    ? say(`${minutes} min`, `${minutes} 分钟`)
    : say(`${hours} h ${minutes % 60} min`, `${hours} 小时 ${minutes % 60} 分钟`)
}

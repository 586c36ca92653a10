import type { Others } from '../../fleet/others.js'
import { joinCounts, type PackedCounts, packCounts } from '../../history/counting.js'
import { cursorBehind, newerFirst } from '../../history/newest-first.js'
import type { CallsAsked, StatsAsked } from '../../history/query.js'
import type { CallReader } from '../../history/reader.js'
import { Tally } from '../../history/tally.js'
import type { HttpExchange } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { adminPath } from './admin-operation.js'
import type { HistoryAnswer, HistoryCall, HistoryDesk, HistoryEntry, HistoryStats } from './history.js'
import type { Covered } from './whole-fleet.js'

interface Asking {
  readonly exchange: HttpExchange
  readonly caller: Caller
}

type Kept = Pick<HistoryDesk, 'isKept' | 'reader'>

/** The calls that lie here. */
export const ownList = async (desk: Kept, asked: CallsAsked): Promise<HistoryAnswer> => {
  const reader = await desk.reader()
  return { ...(await reader.find(asked)), kept: desk.isKept(), oldest: await reader.oldest() }
}

/** Their figures. */
export const ownStats = async (desk: Kept, asked: StatsAsked): Promise<HistoryStats> => {
  const counts = packCounts(await (await desk.reader()).count(asked))
  return statsOf(asked, [{ kept: desk.isKept(), counts }])
}

/** The calls of all replicas as one list. All have the same order, so one place in it is enough to go on. */
export const wholeList = async (
  desk: HistoryDesk,
  others: Others | undefined,
  request: Asking,
  asked: CallsAsked,
): Promise<HistoryAnswer> => {
  const own = await ownList(desk, asked)
  if (!others || request.exchange.passedBy !== undefined) return own
  const target = targetOf('/history', request.exchange.query, { limit: asked.limit, cursor: asked.cursor })
  const { said, covers } = await askAll<HistoryAnswer>(others, target, request.caller, own)
  const byId = new Map<string, HistoryCall>()
  // Workers of one machine share a folder: each call once, as ours where we have it.
  for (const { replica, answer } of said)
    for (const call of answer.calls) if (!byId.has(call.id)) byId.set(call.id, { ...call, replica })
  const all = [...byId.values()].sort(newerFirst)
  const calls = all.slice(0, asked.limit)
  const last = calls.at(-1)
  const isMore = all.length > calls.length || said.some(({ answer }) => answer.next !== undefined)
  const ends = said.flatMap(({ answer }) => answer.oldest ?? [])
  return {
    calls,
    kept: said.some(({ answer }) => answer.kept),
    next: isMore && last ? cursorBehind(last) : undefined,
    oldest: ends.length === 0 ? undefined : Math.min(...ends),
    covers,
  }
}

/** What one replica tells another of its figures: such as can be added up, and whose folder they are of. */
interface StatsPart {
  readonly kept: boolean
  readonly counts: PackedCounts
  readonly folder?: string | undefined
}

export const wholeStats = async (
  desk: HistoryDesk,
  others: Others | undefined,
  request: Asking,
  asked: StatsAsked,
): Promise<HistoryStats> => {
  const reader = await desk.reader()
  const kept = desk.isKept()
  const own: StatsPart = { kept, counts: packCounts(await reader.count(asked)), folder: await folderOf(reader, others) }
  if (!others || request.exchange.passedBy !== undefined)
    return { ...statsOf(asked, [own]), counts: others && own.counts, folder: own.folder }
  const { from, to, bucketMs, most } = asked
  const target = targetOf('/history-stats', request.exchange.query, { from, to, bucketMs, most })
  const { said, covers } = await askAll<StatsPart>(others, target, request.caller, own)
  const folders = new Set<string>()
  const parts = said.flatMap(({ answer }) => {
    if (answer.folder !== undefined && folders.has(answer.folder)) return []
    if (answer.folder !== undefined) folders.add(answer.folder)
    return answer.counts ? [answer] : []
  })
  return { ...statsOf(asked, parts), covers }
}

const folderOf = (reader: CallReader, others: Others | undefined): Promise<string | undefined> =>
  others ? reader.folderId() : Promise.resolve(undefined)

const statsOf = (asked: StatsAsked, parts: readonly StatsPart[]): HistoryStats => {
  const { from, to, bucketMs, by, most } = asked
  const { series, split } = joinCounts(parts.map(({ counts }) => counts))
  const totals = new Tally()
  for (const tally of series.values()) totals.join(tally)
  const rows = [...(split ?? [])].sort(([, one], [, other]) => other.calls - one.calls)
  const rest = new Tally()
  for (const [, tally] of rows.slice(most)) rest.join(tally)
  return {
    ...{ kept: parts.some(({ kept }) => kept), from, to, bucketMs, by },
    totals: totals.figures(),
    series: [...series].sort(([one], [other]) => one - other).map(([at, tally]) => ({ at, ...tally.figures() })),
    split: split && rows.slice(0, most).map(([name, tally]) => ({ name, ...tally.figures() })),
    rest: rows.length > most ? { names: rows.length - most, ...rest.figures() } : undefined,
  }
}

/** One call at whichever replica keeps it, which also decides what this caller may read. */
export const elsewhere = async (
  others: Others | undefined,
  { exchange, caller }: Asking,
  id: string,
): Promise<HistoryEntry | undefined> => {
  if (!others || exchange.passedBy !== undefined) return undefined
  const said = await others.ask(`${adminPath}/history/${encodeURIComponent(id)}`, caller)
  return said.map(({ answer }) => answer as HistoryEntry | undefined).find((answer) => answer?.call !== undefined)
}

const askAll = async <Answer>(others: Others, target: string, caller: Caller, own: Answer) => {
  const heard = await others.ask(target, caller)
  const said = [
    { replica: others.replica, answer: own },
    ...heard.flatMap(({ replica, answer }) =>
      answer === undefined ? [] : [{ replica, answer: answer as unknown as Answer }],
    ),
  ]
  const covers: Covered = {
    replica: others.replica,
    replicas: said.map(({ replica }) => replica),
    away: heard.flatMap(({ replica, answer }) => (answer === undefined ? [replica] : [])),
  }
  return { said, covers }
}

/** The same question with what was left open in it, so that all answer the same one. */
const targetOf = (
  path: string,
  asked: URLSearchParams,
  settled: Readonly<Record<string, string | number | undefined>>,
): string => {
  const query = new URLSearchParams(asked)
  query.delete('format')
  for (const [name, value] of Object.entries(settled)) if (value !== undefined) query.set(name, String(value))
  return `${adminPath}${path}?${query}`
}

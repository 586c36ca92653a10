import type { SplitBy } from '../../../src/history/query.js'

/** As an address has it behind `?`. */
type Query = Readonly<Record<string, string>>

/** What of the history is looked at. It is all in the address, so that a look can be handed on. */
export interface HistoryView {
  /** One of `ranges`, or `own` with `from` and `until`. */
  readonly range: Range | 'own'
  /** Milliseconds since the epoch; only of `own`. */
  readonly from: number
  readonly until: number
  readonly by: SplitBy
  readonly filter: HistoryFilter
}

export const filterNames = ['text', 'outcome', 'tool', 'source', 'client', 'caller', 'profile', 'code', 'run'] as const
export type HistoryFilter = Readonly<Partial<Record<(typeof filterNames)[number], string>>>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const ranges = { '1h': hourMs, '24h': dayMs, '7d': 7 * dayMs, '14d': 14 * dayMs } as const
export type Range = keyof typeof ranges

const splitNames: readonly SplitBy[] = ['tool', 'source', 'client', 'caller', 'profile', 'code']

const isRange = (text: string | undefined): text is Range => text !== undefined && Object.hasOwn(ranges, text)

/** Whatever stands in the address: what is not understood is as if it were not there. */
export const viewOf = (query: Query): HistoryView => {
  const from = Number(query.from)
  const until = Number(query.until)
  const isOwn = query.from !== undefined && Number.isFinite(from) && Number.isFinite(until) && until > from
  return {
    range: isOwn ? 'own' : isRange(query.range) ? query.range : '24h',
    from: isOwn ? from : 0,
    until: isOwn ? until : 0,
    by: splitNames.find((name) => name === query.by) ?? 'tool',
    filter: Object.fromEntries(filterNames.flatMap((name) => (query[name] ? [[name, query[name]]] : []))),
  }
}

export const queryOf = ({ range, from, until, by, filter }: HistoryView): Query => ({
  ...(range === 'own' ? { from: String(from), until: String(until) } : range === '24h' ? {} : { range }),
  ...(by === 'tool' ? {} : { by }),
  ...filter,
})

/** From when until when, at this moment. */
export const spanOf = ({ range, from, until }: HistoryView, now: number): readonly [from: number, to: number] =>
  range === 'own' ? [from, until] : [now - ranges[range], now]

/** What the gateway is asked. */
export const askedOf = (view: HistoryView, now: number, more: Query = {}): string => {
  const [from, to] = spanOf(view, now)
  return new URLSearchParams({ from: String(from), to: String(to), ...view.filter, ...more }).toString()
}

const buckets = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, dayMs]
const mostPoints = 100

/** How long one point is, so that a picture has at most a hundred. */
export const bucketOf = (fromMs: number, toMs: number): number =>
  buckets.find((each) => (toMs - fromMs) / each <= mostPoints) ?? dayMs

/** A series has no point where nothing was called; a picture has. */
export const filledSeries = <Point extends { readonly at: number }>(
  series: readonly Point[],
  [from, to]: readonly [number, number],
  bucketMs: number,
): readonly (Partial<Point> & { readonly at: number })[] => {
  const known = new Map(series.map((point) => [Math.floor(point.at / bucketMs), point]))
  const first = Math.floor(from / bucketMs)
  const last = Math.floor((to - 1) / bucketMs)
  return Array.from({ length: Math.min(last - first + 1, 2 * mostPoints) }, (_, index) => {
    const at = (first + index) * bucketMs
    return { ...known.get(first + index), at } as Partial<Point> & { readonly at: number }
  })
}

import type { CallFilter, CallsAsked, StatsAsked } from '../../history/query.js'
import { splits } from '../../history/query.js'
import { requestKinds } from '../../model/call.js'
import { invalid, oneOf, timeOf } from './audit-query.js'

const mostCalls = 500
const mostPoints = 1000
const usualPoints = 60
const mostRows = 200
const dayMs = 24 * 3_600_000
/** Lengths of a point that people can read. */
const steps = [1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000, dayMs] as const

/** What is asked of the history, out of an address. */
export const callsAsked = (fields: URLSearchParams): CallsAsked => ({
  ...callFilter(fields),
  limit: wholeOf('limit', fields.get('limit'), 1, mostCalls) ?? 100,
  cursor: fields.get('cursor')?.slice(0, 64) || undefined,
})

/** The last day in about sixty points, unless something else is said. */
export const statsAsked = (fields: URLSearchParams, now: number): StatsAsked => {
  const filter = callFilter(fields)
  const to = filter.to ?? now + 1
  const from = filter.from ?? to - dayMs
  const span = Math.max(1, to - from)
  const usual = steps.find((step) => span / step <= usualPoints) ?? dayMs
  const bucketMs = wholeOf('bucketMs', fields.get('bucketMs'), 1000, 366 * dayMs) ?? usual
  if (span / bucketMs > mostPoints)
    throw invalid(`'bucketMs' must be at least ${Math.ceil(span / mostPoints)} for that time.`)
  return {
    ...{ ...filter, from, to, bucketMs },
    by: oneOf('by', splits, fields.get('by') || undefined),
    most: wholeOf('most', fields.get('most'), 1, mostRows) ?? 20,
  }
}

export const callFilter = (fields: URLSearchParams): CallFilter => {
  const word = (name: string): string | undefined => fields.get(name)?.slice(0, 512) || undefined
  return {
    ...{ from: timeOf('from', word('from')), to: timeOf('to', word('to')) },
    ...{ tool: word('tool'), source: word('source'), client: word('client'), caller: word('caller') },
    ...{ profile: word('profile'), code: word('code'), run: word('run'), text: word('text') },
    kind: oneOf('kind', requestKinds, word('kind')),
    outcome: oneOf('outcome', ['ok', 'failed'], word('outcome')),
  }
}

const wholeOf = (name: string, word: string | null, least: number, most: number): number | undefined => {
  if (word === null || word === '') return undefined
  const number = Number(word)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw invalid(`'${name}' must be a whole number from ${least} to ${most}.`)
}

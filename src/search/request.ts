import { GatewayError } from '../errors.js'
import { kindOf } from '../model/json.js'
import type { LexicalIndex } from './index/lexical-index.js'
import { joinNotices, notices } from './notices.js'
import type { VisibleSlots } from './rank/view.js'
import type { SearchMethod, SearchOutcome, SearchQueryOptions, SearchResult } from './tool-search.js'

/** A checked question. */
export interface Request {
  readonly query: string
  readonly method: SearchMethod
  readonly limit: number
  readonly view: VisibleSlots | undefined
  readonly given: SearchQueryOptions
}

const defaultLimit = 5

export const readRequest = (
  query: unknown,
  given: SearchQueryOptions,
  defaults: { readonly method: SearchMethod; readonly methods: readonly string[] },
  index: LexicalIndex,
  viewOf: (accept: SearchQueryOptions['accept']) => VisibleSlots | undefined,
): Request => {
  if (typeof query !== 'string') {
    throw new GatewayError('ARGUMENTS_INVALID', `A search needs a query in words, not ${kindOf(query)}.`)
  }
  const method = checkMethod(given.method ?? defaults.method, defaults.methods)
  const limit = Math.min(checkLimit(given.limit ?? defaultLimit), index.size)
  return { query, method, limit, view: viewOf(given.accept), given }
}

const checkMethod = (method: unknown, known: readonly string[]): SearchMethod => {
  if (typeof method === 'string' && known.includes(method)) return method
  const shown = typeof method === 'string' ? `'${method.slice(0, 40)}'` : kindOf(method)
  throw new GatewayError('ARGUMENTS_INVALID', `Unknown search method ${shown}; choose one of ${known.join(', ')}.`, {
    details: { methods: known },
  })
}

const checkLimit = (limit: unknown): number => {
  if (typeof limit === 'number' && limit >= 0) return Math.floor(limit)
  throw new GatewayError('ARGUMENTS_INVALID', 'The limit of a search must be a number that is not negative.')
}

// Below this share of the query even the best tool shares little more than a common word with it.
const weakScore = 0.08

// Every face shows three digits: what would read 0 there answers nothing of the query (D18). Another's algorithm has a scale of its own.
const leastScore = 0.0005

/** The outcome, with what the asker should know about it. `heard` is false when the query had nothing to search for. */
export const finish = (
  found: readonly SearchResult[],
  request: Request,
  extras: {
    readonly method?: SearchMethod | undefined
    readonly heard?: boolean | undefined
    readonly notice?: string | undefined
    readonly least?: number | undefined
  } = {},
): SearchOutcome => {
  const { accept } = request.given
  const { least = leastScore } = extras
  // Asked once more: a remembered verdict must never show what the rules hide now.
  const results = found.filter(({ tool, score }) => score >= least && (accept?.(tool) ?? true))
  const [best] = results
  const verdict = best ? (best.score < weakScore ? notices.weak : undefined) : noResult(extras.heard ?? true)
  return { results, method: extras.method ?? request.method, ...joinNotices(extras.notice, verdict) }
}

const noResult = (heard: boolean): string => (heard ? notices.nothing : notices.noWords)

import { GatewayError } from '../errors.js'
import { kindOf } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import { areasOf } from './areas.js'
import type { LexicalIndex } from './index/lexical-index.js'
import { joinNotices, notices } from './notices.js'
import { withoutPayload } from './rank/payload.js'
import { toolsIn, type VisibleSlots } from './rank/view.js'
import type { SearchMethod, SearchOutcome, SearchQueryOptions, SearchResult } from './tool-search.js'

/** A checked question. */
export interface Request {
  readonly query: string
  /** The query without what the tool shall merely carry: what is searched for by words and by meaning. */
  readonly asked: string
  readonly method: SearchMethod
  readonly limit: number
  readonly view: VisibleSlots | undefined
  readonly given: SearchQueryOptions
  /** The tools that the asker may see. */
  seen(): readonly Tool[]
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
  const view = viewOf(given.accept)
  const asked = withoutPayload(query)
  return { query, asked, method, limit, view, given, seen: () => toolsIn(index, view) }
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
    readonly parts?: readonly string[] | undefined
  } = {},
): SearchOutcome => {
  const { accept } = request.given
  const { least = leastScore } = extras
  // Asked once more: a remembered verdict must never show what the rules hide now.
  const results = found.filter(({ tool, score }) => score >= least && (accept?.(tool) ?? true))
  const method = extras.method ?? request.method
  const [best] = results
  if (!best) return withAreas(request, method, extras.notice, noResult(extras.heard ?? true))
  const said = joinNotices(extras.notice, best.match && notices.weak)
  const parts = extras.parts?.length ? { parts: extras.parts } : {}
  return best.match ? { results, method, match: best.match, ...parts, ...said } : { results, method, ...parts, ...said }
}

const noResult = (heard: boolean): string => (heard ? notices.nothing : notices.noWords)

/** No results, and what there is to ask for. */
export const withAreas = (
  request: Request,
  method: SearchMethod,
  ...said: readonly (string | undefined)[]
): SearchOutcome => {
  const { accept, usage } = request.given
  // Asked once more, as of results.
  const areas = areasOf(
    request.seen().filter((tool) => accept?.(tool) ?? true),
    usage,
  )
  return areas.length === 0
    ? { results: [], method, notice: notices.noTools }
    : { results: [], method, ...joinNotices(...said), areas }
}

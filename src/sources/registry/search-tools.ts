import { defined, type JsonObject } from '../../model/json.js'
import { type Tool, upstreamOf } from '../../model/tool.js'
import type { BoardArea, BoardMatch } from './board.js'
import { fitting, shorten } from './budget.js'
import type { ListScope } from './category-list.js'
import { signatureOf } from './signature.js'
import { checkCursor, checkLimit, checkMethod, checkQueries, checkQuery } from './wrong-request.js'

/** What a search gives back, before it is written down. */
export interface SearchReply {
  readonly results: readonly FoundTool[]
  readonly method: string
  readonly notice?: string | undefined
  /** Even the best result is too weak to trust. */
  readonly match?: 'weak' | undefined
  /** Of a wish of several parts, what each asks for. */
  readonly parts?: readonly string[] | undefined
  /** What there is to ask for, beside no results. */
  readonly areas?: readonly FoundArea[] | undefined
  /** Where to read on, when more was asked for than fits. */
  readonly next_cursor?: string | undefined
}

export interface FoundTool {
  readonly tool_name: string
  /** For who writes scripts, in the place of description and signature. */
  readonly declaration?: string | undefined
  readonly description?: string | undefined
  readonly score: number
  readonly match_reason?: string | undefined
  readonly signature?: string | undefined
  readonly match?: 'weak' | undefined
  /** The part of the wish that it serves. */
  readonly part?: string | undefined
}

export interface FoundArea {
  readonly category: string
  readonly tools: number
  /** Names of tools. */
  readonly examples: readonly string[]
}

export interface SearchScope extends ListScope {
  /** What should be said beside every answer: that not all definitions are here yet. */
  readonly notice?: string | undefined
  /** How a script calls a tool; undefined where nobody here writes any. */
  readonly declare?: ((tool: Tool) => string) | undefined
}

/** `search_tools`: what fits, best first, with one line on how to call each. */
export const searchTools = async (args: JsonObject, scope: SearchScope, onlyHot = false): Promise<SearchReply> => {
  const query = checkQuery(args.query)
  return searchOne(query, args, scope, onlyHot)
}

/** Several needs in one call (002-19); they share the budget. */
export const searchMany = async (
  args: JsonObject,
  scope: SearchScope,
  onlyHot = false,
): Promise<readonly (SearchReply & { readonly query: string })[]> => {
  const queries = checkQueries(args.queries)
  const share = { ...scope, budgetBytes: Math.floor(scope.budgetBytes / queries.length) }
  return Promise.all(queries.map(async (query) => ({ query, ...(await searchOne(query, args, share, onlyHot)) })))
}

const searchOne = async (
  query: string,
  args: JsonObject,
  scope: SearchScope,
  onlyHot: boolean,
): Promise<SearchReply> => {
  const { board, caller } = scope
  const method = checkMethod(args.search_method ?? args.method, board.searchMethods)
  const limit = checkLimit(args.limit, 5)
  const from = checkCursor(args.cursor ?? args.offset)
  const wanted = onlyHot ? board.catalog.size : from + limit
  const outcome = await board.search(query, { limit: wanted, method }, caller)
  const all = onlyHot ? outcome.results.filter(({ tool }) => isOftenUsed(scope, tool)) : outcome.results
  const asked = all.slice(from, from + limit).map((result) => toFound(result, scope))
  const results = asked.slice(0, fitting(asked, scope.budgetBytes - frameBytes))
  const cold = outcome.results.length > 0 && all.length === 0 ? onlyCold : undefined
  const notice = [outcome.notice, cold, scope.notice].filter(Boolean).join(' ')
  return {
    results,
    method: outcome.method,
    notice: notice === '' ? undefined : notice,
    match: results.length > 0 ? outcome.match : undefined,
    parts: results.length > 0 ? outcome.parts?.map((part) => shorten(part, longestPart)) : undefined,
    areas: outcome.areas && toAreas(outcome.areas, scope),
    next_cursor: results.length < asked.length ? String(from + results.length) : undefined,
  }
}

const onlyCold = 'No tool that is used often matches; search_tools looks among all of them.'

// What the hint on how to read on takes.
const frameBytes = 100

const isOftenUsed = ({ board }: SearchScope, tool: Tool): boolean =>
  board.catalog.usage.temperature(upstreamOf(tool).id, Date.now()) !== 'cold'

const longestName = 80

/** As many as fit into half of an answer, so that what is said beside them has room. */
const toAreas = (areas: readonly BoardArea[], { nameOf, budgetBytes }: SearchScope): readonly FoundArea[] => {
  const named = areas.map(({ category, tools, examples }) => ({
    category: shorten(category, longestName),
    tools,
    examples: examples.map((tool) => shorten(nameOf(tool), longestName)),
  }))
  return named.slice(0, fitting(named, budgetBytes / 2))
}

const longestPart = 120

const toFound = (
  { tool, score, matchReason, match, part }: BoardMatch,
  { nameOf, declare }: SearchScope,
): FoundTool => {
  const name = nameOf(tool)
  const rounded = Math.round(score * 1000) / 1000
  const serves = { match, part: part && shorten(part, longestPart) }
  if (declare) return defined({ tool_name: name, declaration: declare(tool), score: rounded, ...serves })
  return defined({
    tool_name: name,
    description: shorten(tool.definition.description ?? tool.definition.title ?? ''),
    score: rounded,
    match_reason: matchReason,
    signature: shorten(signatureOf(tool, name), 400),
    ...serves,
  })
}

import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import type { BoardMatch } from './board.js'
import { fitting, shorten } from './budget.js'
import type { ListScope } from './category-list.js'
import { signatureOf } from './signature.js'
import { checkCursor, checkLimit, checkMethod, checkQueries, checkQuery } from './wrong-request.js'

/** What a search gives back, before it is written down. */
export interface SearchReply {
  readonly results: readonly FoundTool[]
  readonly method: string
  readonly notice?: string | undefined
  /** Where to read on, when more was asked for than fits. */
  readonly next_cursor?: string | undefined
}

export interface FoundTool {
  readonly tool_name: string
  readonly description: string
  readonly score: number
  readonly match_reason: string
  readonly signature: string
}

export interface SearchScope extends ListScope {
  /** What should be said beside every answer: that not all definitions are here yet. */
  readonly notice?: string | undefined
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
  const notice = [outcome.notice, scope.notice].filter(Boolean).join(' ')
  return {
    results,
    method: outcome.method,
    notice: notice === '' ? undefined : notice,
    next_cursor: results.length < asked.length ? String(from + results.length) : undefined,
  }
}

// What the hint on how to read on takes.
const frameBytes = 100

const isOftenUsed = ({ board }: SearchScope, tool: Tool): boolean =>
  board.catalog.usage.temperature(tool.id, Date.now()) !== 'cold'

const toFound = ({ tool, score, matchReason }: BoardMatch, { nameOf }: SearchScope): FoundTool => {
  const name = nameOf(tool)
  return {
    tool_name: name,
    description: shorten(tool.definition.description ?? tool.definition.title ?? ''),
    score: Math.round(score * 1000) / 1000,
    match_reason: matchReason,
    signature: shorten(signatureOf(tool, name), 400),
  }
}

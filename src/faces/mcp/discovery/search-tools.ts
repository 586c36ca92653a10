import type { Gateway } from '../../../gateway.js'
import type { Caller } from '../../../model/caller.js'
import type { JsonObject } from '../../../model/json.js'
import type { Tool } from '../../../model/tool.js'
import type { SearchResult } from '../../../search/tool-search.js'
import { checkLimit, checkMethod, checkQuery } from './refusal.js'
import { signatureOf } from './signature.js'

/** What a search gives back, before it is written down. */
export interface Found {
  readonly results: readonly FoundTool[]
  readonly method: string
  readonly notice?: string
}

export interface FoundTool {
  readonly tool_name: string
  readonly description: string
  readonly score: number
  readonly match_reason: string
  readonly signature: string
}

export interface SearchScope {
  readonly gateway: Gateway
  readonly caller: Caller
  /** The name to call a tool by, for this client. */
  readonly nameOf: (tool: Tool) => string
  /** Bytes that the reply may take; results are left out from the end, never cut. */
  readonly budgetBytes: number
}

const longestDescription = 240

/** `search_tools`: what fits, best first, with one line on how to call each. */
export const searchTools = async (args: JsonObject, scope: SearchScope, onlyHot = false): Promise<Found> => {
  const query = checkQuery(args.query)
  const method = checkMethod(args.search_method ?? args.method)
  const limit = checkLimit(args.limit, 5)
  const { gateway, caller } = scope
  const wanted = onlyHot ? gateway.catalog.size : limit
  const outcome = await gateway.search(query, { limit: wanted, ...(method ? { method } : {}) }, caller)
  const fitting = onlyHot
    ? outcome.results.filter(({ tool }) => isOftenUsed(gateway, tool)).slice(0, limit)
    : outcome.results
  return {
    results: withinBudget(
      fitting.map((result) => toFound(result, scope)),
      scope.budgetBytes,
    ),
    method: outcome.method,
    ...(outcome.notice === undefined ? {} : { notice: outcome.notice }),
  }
}

const isOftenUsed = (gateway: Gateway, tool: Tool): boolean =>
  gateway.catalog.usage.temperature(tool.id, Date.now()) !== 'cold'

const toFound = ({ tool, score, matchReason }: SearchResult, { nameOf }: SearchScope): FoundTool => {
  const name = nameOf(tool)
  return {
    tool_name: name,
    description: shorten(tool.definition.description ?? tool.definition.title ?? ''),
    score: Math.round(score * 1000) / 1000,
    match_reason: matchReason,
    signature: signatureOf(tool, name),
  }
}

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= longestDescription ? line : `${line.slice(0, longestDescription - 1)}…`
}

/** Fewer results rather than half of one; the best is always there. */
const withinBudget = (results: readonly FoundTool[], budgetBytes: number): readonly FoundTool[] => {
  let used = 0
  const kept = results.findIndex((result) => {
    used += Buffer.byteLength(JSON.stringify(result, null, 2))
    return used > budgetBytes
  })
  return kept < 0 ? results : results.slice(0, Math.max(1, kept))
}

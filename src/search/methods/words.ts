import type { LexicalIndex } from '../index/lexical-index.js'
import { notices } from '../notices.js'
import type { LexicalScorer } from '../rank/lexical-search.js'
import { longestQuery } from '../rank/query.js'
import { rankSlots } from '../rank/rank.js'
import { describeFields, matchedFields } from '../rank/reason.js'
import { finish, type Request } from '../request.js'
import type { SearchMethod, SearchOutcome } from '../tool-search.js'

/** `bm25` by the query's own words, `auto` also by others for the same. */
export const answerByWords = (
  request: Request,
  index: LexicalIndex,
  score: LexicalScorer,
  extras: { readonly method?: SearchMethod | undefined; readonly notice?: string | undefined } = {},
): SearchOutcome => {
  const { query, view, limit, given } = request
  const scores = score({ text: query, reach: request.method === 'bm25' ? 'words' : 'related', view })
  const results = rankSlots(index, scores, limit, given.usage).map(({ slot, score }) => ({
    tool: index.tool(slot)!,
    score,
    matchReason: describeFields(matchedFields(index, scores.matched, slot)),
  }))
  const cut = query.length > longestQuery ? notices.cut : undefined
  const notice = [extras.notice, cut].filter(Boolean).join(' ') || undefined
  return finish(results, request, { ...extras, heard: scores.concepts.length > 0, notice })
}

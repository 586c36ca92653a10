import type { LexicalIndex } from '../index/lexical-index.js'
import { partsOf } from '../lexicon/wish-parts.js'
import { notices } from '../notices.js'
import type { LexicalScorer, LexicalScores } from '../rank/lexical-search.js'
import { longestQuery } from '../rank/query.js'
import { type Ranked, rankSlots } from '../rank/rank.js'
import { describeFields, matchedFields } from '../rank/reason.js'
import { matchOf } from '../rank/trust.js'
import { finish, type Request } from '../request.js'
import type { SearchMethod, SearchOutcome } from '../tool-search.js'
import { mostForParts, type Serving, serveParts, wordsIn } from './parts.js'

/** `bm25` by the query's own words, `auto` also by others for the same. */
export const answerByWords = (
  request: Request,
  index: LexicalIndex,
  score: LexicalScorer,
  extras: { readonly method?: SearchMethod | undefined; readonly notice?: string | undefined } = {},
): SearchOutcome => {
  const { query, asked, view } = request
  const scores = score({ text: asked, reach: request.method === 'bm25' ? 'words' : 'related', view })
  const parts = request.method === 'auto' ? partsOf(asked) : []
  const ranked: readonly (Ranked & Partial<Serving>)[] =
    parts.length === 0 ? rankSlots(index, scores, request) : rankParts(parts, scores, request, index, score)
  const results = ranked.map(({ slot, score, part, fits }) => ({
    tool: index.tool(slot)!,
    score,
    matchReason: describeFields(matchedFields(index, scores.matched, slot)),
    match: fits ? undefined : matchOf(score),
    part,
  }))
  const cut = query.length > longestQuery ? notices.cut : undefined
  const notice = [extras.notice, cut].filter(Boolean).join(' ') || undefined
  return finish(results, request, { ...extras, heard: scores.concepts.length > 0, notice, parts })
}

const rankParts = (
  texts: readonly string[],
  scores: LexicalScores,
  request: Request,
  index: LexicalIndex,
  score: LexicalScorer,
): readonly Serving[] => {
  const ranked = rankSlots(index, scores, { ...request, limit: Math.max(request.limit, mostForParts) })
  const slots = ranked.map(({ slot }) => slot)
  const parts = texts.map((text) => ({ text, words: wordsIn(text, slots, score, request), likeness: undefined }))
  return serveParts(ranked, parts, request.limit, index, scores)
}

import type { Fusion } from '../embedding/fusion.js'
import { likenessFor } from '../embedding/likeness.js'
import type { EmbeddingProvider } from '../embedding/provider.js'
import type { Ranking } from '../embedding/ranking.js'
import { type SecondVoice, withSecondVoice } from '../embedding/second-voice.js'
import type { ToolVectors } from '../embedding/tool-vectors.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { partsOf } from '../lexicon/wish-parts.js'
import { notices } from '../notices.js'
import type { LexicalScorer, LexicalScores } from '../rank/lexical-search.js'
import { type Ranked, rankSlots } from '../rank/rank.js'
import { describeFields, matchedFields } from '../rank/reason.js'
import type { Scores } from '../rank/score.js'
import { topSlots } from '../rank/top.js'
import { matchOf } from '../rank/trust.js'
import { finish, type Request } from '../request.js'
import type { SearchOutcome } from '../tool-search.js'
import { type Glance, lookCloser } from './closer.js'
import { mostForParts, type Serving, serveParts, wordsIn } from './parts.js'

export interface Meaning {
  readonly index: LexicalIndex
  readonly score: LexicalScorer
  readonly provider: EmbeddingProvider
  readonly vectors: ToolVectors
  readonly fusion: Fusion
  readonly ranking: Ranking | undefined
}

// Enough for any limit, few enough to fuse in no time.
const mostSimilar = 200
const han = /\p{Script=Han}/u

/** `embedding` by vectors alone, `auto` by words and vectors together. Everything here is synchronous. */
export const answerByMeaning = (
  request: Request,
  meaning: Meaning,
  vector: Float32Array,
  second?: SecondVoice,
): SearchOutcome => {
  const { index, vectors } = meaning
  const similarities = similaritiesTo(vector, request, meaning)
  const words = meaning.score({ text: request.asked, reach: 'related', view: request.view })
  const first =
    request.method === 'embedding' ? alone(similarities, request, meaning) : fuse(words, similarities, request, meaning)
  const scores = second ? withSecondVoice(first, second, request.method) : first
  const parts = request.method === 'auto' ? partsOf(request.asked) : []
  const ranked: readonly (Ranked & Partial<Serving>)[] =
    parts.length === 0 ? rankSlots(index, scores, request) : rankParts(parts, words, scores, request, meaning)
  const notice = vectors.missing > 0 ? notices.someVectors : undefined
  return finish(
    ranked.map(({ slot, score, part, fits }) => ({
      tool: index.tool(slot)!,
      score,
      matchReason: describeFields(matchedFields(index, words.matched, slot), similarities[slot]! > 0),
      match: fits ? undefined : matchOf(score, vectors.table?.has(slot) ? similarities[slot]! : undefined),
      part,
    })),
    request,
    { notice, parts },
  )
}

/** For a wish of several parts: each of the best is looked at by every part alone as well. */
const rankParts = (
  texts: readonly string[],
  words: LexicalScores,
  scores: Scores,
  request: Request,
  { index, provider, vectors, score }: Meaning,
): readonly Serving[] => {
  const ranked = rankSlots(index, scores, { ...request, limit: Math.max(request.limit, mostForParts) })
  const slots = ranked.map(({ slot }) => slot)
  const toLikeness = likenessFor(provider)
  const vectorsOf = vectors.table && provider.embedSync?.(texts, { kind: 'query' })
  const parts = texts.map((text, i) => ({
    text,
    words: wordsIn(text, slots, score, request),
    likeness: vectorsOf && Array.from(vectors.table!.cosinesAt(vectorsOf[i]!, slots), toLikeness),
  }))
  return serveParts(ranked, parts, request.limit, index, words)
}

/** Cosines stretched so that unrelated texts are 0; negative ones mean nothing to a ranking. */
export const similaritiesTo = (
  vector: Float32Array,
  { view }: Pick<Request, 'view'>,
  { index, provider, vectors }: Pick<Meaning, 'index' | 'provider' | 'vectors'>,
): Float32Array => {
  const toLikeness = likenessFor(provider)
  const cosines = vectors.table?.cosines(vector, index.slots) ?? new Float32Array(index.slots)
  for (let slot = 0; slot < cosines.length; slot++) {
    const hidden = view !== undefined && view.visible[slot] === 0
    cosines[slot] = hidden ? 0 : toLikeness(cosines[slot]!)
  }
  return cosines
}

const mostSimilarSlots = (similarities: Float32Array, count: number): readonly number[] => {
  const slots: number[] = []
  for (let slot = 0; slot < similarities.length; slot++) if (similarities[slot]! > 0) slots.push(slot)
  return topSlots(slots, count, (a, b) => similarities[b]! - similarities[a]! || a - b)
}

const alone = (similarities: Float32Array, { limit }: Request, _meaning: Meaning): Scores => ({
  values: Float64Array.from(similarities),
  touched: mostSimilarSlots(similarities, Math.max(limit, mostSimilar)),
})

const fuse = (words: LexicalScores, similarities: Float32Array, request: Request, meaning: Meaning): Scores => {
  const glance = glanceAt(words, similarities, request, meaning)
  // Without a matched word there is nothing to weigh against: the likeness decides.
  if (!meaning.ranking || glance.bestLexical === 0) return glance.scores
  return lookCloser(glance, meaning, meaning.ranking)
}

/** Every tool that shares a word with the query or is like it, by what costs little to know. */
export const glanceAt = (
  words: LexicalScores,
  similarities: Float32Array,
  { limit, asked: text }: Pick<Request, 'limit' | 'asked'>,
  { fusion, provider, vectors }: Pick<Meaning, 'fusion' | 'provider' | 'vectors'>,
): Glance => {
  const similar = mostSimilarSlots(similarities, Math.max(limit, mostSimilar))
  const slots = [...words.touched, ...similar.filter((slot) => !(words.values[slot]! > 0))]
  const query = {
    concepts: words.concepts.length,
    bestLexical: words.touched.reduce((best, slot) => Math.max(best, words.values[slot]!), 0),
    bestSimilarity: similar[0] === undefined ? 0 : similarities[similar[0]]!,
  }
  const values = new Float64Array(similarities.length)
  const chinese = han.test(text)
  // One object for all: of 100,000 tools half may share a word with the query.
  const candidate = { lexical: 0, similarity: undefined as number | undefined, bothChinese: false }
  for (const slot of slots) {
    candidate.lexical = words.values[slot] ?? 0
    candidate.similarity = vectors.table?.has(slot) ? similarities[slot]! : undefined
    candidate.bothChinese = chinese && vectors.isChinese(slot)
    values[slot] = fusion(candidate, query)
  }
  const scores = { values, touched: slots.filter((slot) => values[slot]! > 0) }
  return { ...query, query: text, limit, words, similarities, toLikeness: likenessFor(provider), scores }
}

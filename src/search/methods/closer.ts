import { clausesOf } from '../embedding/clauses.js'
import type { EmbeddingProvider } from '../embedding/provider.js'
import type { Ranking, RankingFeatures } from '../embedding/ranking.js'
import type { ToolVectors } from '../embedding/tool-vectors.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { deedOf, deedsAsked } from '../lexicon/verbs.js'
import { agreement } from '../rank/action.js'
import { coverageOf } from '../rank/coverage.js'
import type { LexicalScores } from '../rank/lexical-search.js'
import { createSaid } from '../rank/said.js'
import type { Scores } from '../rank/score.js'
import { topSlots } from '../rank/top.js'

/** What a first glance at all tools left to look at closer. */
export interface Glance {
  readonly query: string
  readonly limit: number
  readonly words: LexicalScores
  readonly similarities: Float32Array
  /** Cosine to likeness. */
  readonly toLikeness: (cosine: number) => number
  readonly scores: Scores
  readonly bestLexical: number
  readonly bestSimilarity: number
}

interface Rooms {
  readonly index: LexicalIndex
  readonly provider: EmbeddingProvider
  readonly vectors: ToolVectors
}

// What stands lower at a first glance hardly ever belongs among the first ten.
const fewest = 64
const voters = 3
const han = /\p{Script=Han}/u

/** Scores the best of a first glance anew, by all that can be known of them; the others are left out. */
export const lookCloser = (glance: Glance, rooms: Rooms, ranking: Ranking): Scores => {
  const { values, touched } = glance.scores
  const slots = topSlots(touched, Math.max(glance.limit, fewest), (a, b) => values[b]! - values[a]! || a - b)
  for (const [i, features] of featuresOf(glance, rooms, slots).entries()) values[slots[i]!] = ranking(features)
  return { values, touched: slots.filter((slot) => values[slot]! > 0) }
}

/** All that is known of these tools. Training reads what it learns from through this very function. */
export const featuresOf = (glance: Glance, rooms: Rooms, slots: readonly number[]): readonly RankingFeatures[] => {
  const { words, similarities, bestLexical, bestSimilarity } = glance
  const { index, vectors } = rooms
  const clauses = clauseLikeness(glance, rooms, slots)
  const votes = votesOf(index, similarities, slots)
  const deeds = deedsAsked(glance.query)
  const saidOf = createSaid(index, words)
  const wordByWord = rooms.provider.wordByWord?.(glance.query, slots.map(vectors.rowsOf))
  const queryIsChinese = han.test(glance.query)
  const concepts = words.concepts.filter(({ kind }) => kind !== 'gram').length
  return slots.map((slot, i) => {
    const { covered, exact, named, sourced, talk } = coverageOf(index, words, slot)
    const { said, nameSaid } = saidOf(slot)
    const similarity = similarities[slot]!
    // Written out, not spread: the same shape for all is several times as fast to make and to read.
    return {
      covered,
      exact,
      named,
      sourced,
      talk,
      said,
      nameSaid,
      action: agreement(deeds, deedOf(index.tool(slot)!)),
      lexical: words.values[slot] ?? 0,
      similarity,
      clause: clauses?.[i] ?? similarity,
      wordByWord: wordByWord?.[i] ?? 0,
      sourceSimilarity: votes.get(index.sourceOf[slot]!)!,
      queryIsChinese,
      toolIsChinese: vectors.isChinese(slot),
      bestLexical,
      bestSimilarity,
      concepts,
    }
  })
}

/** The likeness of each tool's best clause, or undefined for a query of one clause. */
const clauseLikeness = (
  { query, toLikeness }: Glance,
  { provider, vectors }: Rooms,
  slots: readonly number[],
): Float32Array | undefined => {
  const clauses = clausesOf(query)
  if (clauses.length === 0 || !provider.embedSync || !vectors.table) return undefined
  const best = new Float32Array(slots.length)
  for (const vector of provider.embedSync(clauses, { kind: 'query' })) {
    for (const [i, cosine] of vectors.table.cosinesAt(vector, slots).entries()) {
      best[i] = Math.max(best[i]!, toLikeness(cosine))
    }
  }
  return best
}

/** How like the query the best candidates of each source are, those it lacks counting nothing. */
const votesOf = (
  index: LexicalIndex,
  similarities: Float32Array,
  slots: readonly number[],
): ReadonlyMap<number, number> => {
  const bySource = new Map<number, number[]>()
  for (const slot of slots) {
    const source = index.sourceOf[slot]!
    const known = bySource.get(source)
    if (known) known.push(similarities[slot]!)
    else bySource.set(source, [similarities[slot]!])
  }
  return new Map([...bySource].map(([source, all]) => [source, sumOfBest(all) / voters]))
}

const sumOfBest = (all: number[]): number =>
  all
    .sort((a, b) => b - a)
    .slice(0, voters)
    .reduce((sum, value) => sum + value, 0)

import type { Ranking, RankingFeatures } from '../embedding/ranking.js'
import { rankingWeights } from './data/ranking-weights.js'

/**
 * What the learned function adds up, by name. Words are the measure: the weight of `lexical` is one, the others were learned
 * beside it. Products let a feature count otherwise across the languages, in short queries, or where words say little.
 */
export const rankingTerms = {
  lexical: ({ lexical }) => lexical,
  covered: ({ covered }) => covered,
  exact: ({ exact }) => exact,
  named: ({ named }) => named,
  sourced: ({ sourced }) => sourced,
  'small talk': ({ talk }) => talk,
  similarity: ({ similarity }) => similarity,
  clause: ({ clause }) => clause,
  said: ({ said }) => said,
  'its name is said, long query': (f) => f.nameSaid * (1 - shortness(f)),
  // Damped in long queries, which have many verbs, most of them no wish.
  action: (f) => f.action * 2 * shortness(f),
  'word by word': ({ wordByWord }) => wordByWord,
  'source similarity': ({ sourceSimilarity }) => sourceSimilarity,
  'similarity, both Chinese': (f) => (f.queryIsChinese && f.toolIsChinese ? f.similarity : 0),
  'clause, both Chinese': (f) => (f.queryIsChinese && f.toolIsChinese ? f.clause : 0),
  'covered, both Chinese': (f) => (f.queryIsChinese && f.toolIsChinese ? f.covered : 0),
  'similarity across languages': (f) => (f.queryIsChinese !== f.toolIsChinese ? f.similarity : 0),
  'covered across languages': (f) => (f.queryIsChinese !== f.toolIsChinese ? f.covered : 0),
  'similarity, short query': (f) => f.similarity * shortness(f),
  'covered, short query': (f) => f.covered * shortness(f),
  'similarity where words say little': (f) => f.similarity * (1 - Math.min(1, f.bestLexical)),
  'covered where words say little': (f) => f.covered * (1 - Math.min(1, f.bestLexical)),
  'share of the best lexical score': (f) => (f.bestLexical > 0 ? f.lexical / f.bestLexical : 0),
  'share of the best similarity': (f) => (f.bestSimilarity > 0 ? f.similarity / f.bestSimilarity : 0),
} as const satisfies Readonly<Record<string, (features: RankingFeatures) => number>>

type RankingTerm = keyof typeof rankingTerms

// One for a query without a need of its own, a half at six.
const shortness = ({ concepts }: RankingFeatures): number => 1 / (1 + concepts / 6)

/** A weighted sum of terms as one function, scaled so that a tool which is perfect in all of them has 1. */
export const createRanking = (weights: Readonly<Partial<Record<RankingTerm, number>>>): Ranking => {
  const terms = Object.entries(weights).map(([name, weight]) => ({ read: rankingTerms[name as RankingTerm], weight }))
  const most = terms.reduce((sum, { weight }) => sum + Math.max(0, weight), 0)
  return (features) => {
    let sum = 0
    for (const { read, weight } of terms) sum += weight * read(features)
    return Math.min(1, Math.max(0, sum / most))
  }
}

/** As it was learned for the table in the package; training/ranking.py made the weights. */
export const builtInRanking: Ranking = createRanking(rankingWeights)

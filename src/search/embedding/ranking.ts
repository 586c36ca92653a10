import type { Coverage } from '../rank/coverage.js'

/** All that is known of one of a query's best tools. Shares and likenesses run from 0 to 1. */
export interface RankingFeatures extends Coverage {
  /** How much of the query its words answer, with the votes of its source. */
  readonly lexical: number
  /** Likeness of the whole query. */
  readonly similarity: number
  /** Likeness of the clause of the query that fits best; of the whole where it has one only. */
  readonly clause: number
  /** Likeness of its source's most similar tools, of three. */
  readonly sourceSimilarity: number
  readonly queryIsChinese: boolean
  readonly toolIsChinese: boolean
  /** Of the query: the best lexical score of any tool, the best likeness, and how many needs it has. */
  readonly bestLexical: number
  readonly bestSimilarity: number
  readonly concepts: number
}

/** Puts the best candidates in order, by a score from 0 to 1. */
export type Ranking = (features: RankingFeatures) => number

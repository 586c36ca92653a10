import type { Coverage } from '../rank/coverage.js'
import type { SaidShares } from '../rank/said.js'

/** All that is known of one of a query's best tools. Shares and likenesses run from 0 to 1. */
export interface RankingFeatures extends Coverage, SaidShares {
  /** How much of the query its words answer, with the votes of its source. */
  readonly lexical: number
  /** Likeness of the whole query. */
  readonly similarity: number
  /** Likeness of the clause of the query that fits best; of the whole where it has one only. */
  readonly clause: number
  /** How well each word of the query is met by some word of the tool; 0 where the model does not say. */
  readonly wordByWord: number
  /** Whether it does what is asked: 1 where it does, -1 where it does the contrary, 0 where nobody can say. */
  readonly action: number
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

/** What is known of one tool for one query. */
export interface CandidateFeatures {
  /** Covered share of the query, 0…1; 0 where no word matched. */
  readonly lexical: number
  /** Cosine of the embeddings, 0 at `unrelated` and 1 for equal directions; undefined without a vector. */
  readonly similarity: number | undefined
  /** Query and tool are both in Chinese. */
  readonly bothChinese: boolean
}

/** What is known of the query as a whole. */
export interface QueryFeatures {
  readonly concepts: number
  /** Best lexical score and best similarity of any visible tool. */
  readonly bestLexical: number
  readonly bestSimilarity: number
}

/** Joins the two voices into one score (0…1). A learned function takes this place without any other change. */
export type Fusion = (candidate: CandidateFeatures, query: QueryFeatures) => number

// Words first: small embedding models are level with BM25 or below it. Scores are added and not ranks: reciprocal rank
// fusion loses 5 to 8 points where the embedding is the weaker voice.
const lexicalVoice = 4

/** Coverage speaks for itself; a query that matched no words leaves the field to the embedding. */
export const defaultFusion: Fusion = ({ lexical, similarity = 0 }, { bestLexical }) =>
  bestLexical === 0 ? similarity : (lexicalVoice * lexical + similarity) / (lexicalVoice + 1)

import type { Scores } from '../rank/score.js'
import { likenessFor } from './likeness.js'
import type { EmbeddingProvider } from './provider.js'
import type { ToolVectors } from './tool-vectors.js'

/** What a second model has to say of one query. */
export interface SecondVoice {
  readonly provider: EmbeddingProvider
  readonly vectors: ToolVectors
  readonly vector: Float32Array
}

// Of words and the first model together. Half as much and twice as much were worse on the development sets (docs/embeddings.md).
const shareBesideWords = 0.2
const shareBesideVectors = 1

/** The same tools, those first that the second model finds alike, too. Scores stay between 0 and 1. */
export const withSecondVoice = (scores: Scores, voice: SecondVoice, method: string): Scores => {
  const share = method === 'embedding' ? shareBesideVectors : shareBesideWords
  const toLikeness = likenessFor(voice.provider)
  const values = Float64Array.from(scores.values)
  const cosines = voice.vectors.table?.cosinesAt(voice.vector, scores.touched) ?? []
  for (const [i, slot] of scores.touched.entries())
    values[slot] = (values[slot]! + share * toLikeness(cosines[i] ?? 0)) / (1 + share)
  return { values, touched: scores.touched }
}

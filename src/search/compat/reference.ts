import type { Tool } from '../../model/tool.js'
import type { AlgorithmHit, SearchAlgorithm } from '../algorithm.js'

/**
 * RegistryTools' own BM25, kept for those who compare (`compat: true`): Okapi with k1 1.5, b 0.75, epsilon 0.25 over
 * name, description and tags; case counts, blanks and punctuation are words, and scores are stretched to 0…1 per query.
 * It is worse than ours in every way measured in docs/search-quality.md: a query that matches nothing gives every tool 1.
 */
export const createReferenceBm25 = (): SearchAlgorithm => {
  let corpus: Corpus | undefined
  return {
    index: () => {
      corpus = undefined
    },
    search: (query, tools, limit) => {
      // What the caller cannot see must not count, so another view is another corpus.
      if (!corpus || !sameTools(corpus.tools, tools)) corpus = readCorpus(tools)
      return rank(corpus, referenceTokens(query), limit)
    },
  }
}

const k1 = 1.5
const b = 0.75
const epsilon = 0.25

interface Corpus {
  readonly tools: readonly Tool[]
  readonly counts: readonly ReadonlyMap<string, number>[]
  readonly lengths: readonly number[]
  readonly averageLength: number
  readonly idf: ReadonlyMap<string, number>
}

/** Runs of letters and digits, every other character by itself; Chinese as single characters, for want of a dictionary. */
export const referenceTokens = (text: string): readonly string[] => text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/gu) ?? []

const sameTools = (left: readonly Tool[], right: readonly Tool[]): boolean =>
  left.length === right.length && left.every((tool, i) => tool === right[i])

const readCorpus = (tools: readonly Tool[]): Corpus => {
  const documents = tools.map(({ id, definition, tags }) =>
    referenceTokens([id, definition.description ?? '', ...tags].join(' ')),
  )
  const counts = documents.map(countTokens)
  const lengths = documents.map((tokens) => tokens.length)
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length)
  return { tools, counts, lengths, averageLength, idf: inverseFrequencies(counts) }
}

const countTokens = (tokens: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

/** As rank-bm25 does it: a word in more than half of all texts gets a share of the mean instead of a negative value. */
const inverseFrequencies = (counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> => {
  const frequency = new Map<string, number>()
  for (const document of counts)
    for (const token of document.keys()) frequency.set(token, (frequency.get(token) ?? 0) + 1)
  const idf = new Map<string, number>()
  for (const [token, n] of frequency) idf.set(token, Math.log(counts.length - n + 0.5) - Math.log(n + 0.5))
  const mean = [...idf.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, idf.size)
  for (const [token, value] of idf) if (value < 0) idf.set(token, epsilon * mean)
  return idf
}

const rank = (corpus: Corpus, query: readonly string[], limit: number): readonly AlgorithmHit[] => {
  const { counts, lengths, averageLength, idf } = corpus
  const raw = counts.map((document, i) => {
    const norm = k1 * (1 - b + (b * lengths[i]!) / averageLength)
    return query.reduce((sum, token) => {
      const tf = document.get(token) ?? 0
      return sum + ((idf.get(token) ?? 0) * tf * (k1 + 1)) / (tf + norm)
    }, 0)
  })
  const scores = stretch(raw)
  return corpus.tools
    .map((tool, i) => ({ tool, score: scores[i]!, matchReason: 'bm25_keyword_similarity' }))
    .sort((left, right) => right.score - left.score)
    .slice(0, limit)
}

const stretch = (raw: readonly number[]): readonly number[] => {
  const low = raw.reduce((least, score) => Math.min(least, score), Infinity)
  const high = raw.reduce((most, score) => Math.max(most, score), -Infinity)
  return raw.map((score) => (high > low ? (score - low) / (high - low) : 1))
}

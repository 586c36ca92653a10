import { askingWords, stopWords } from '../analyse/stop-words.js'
import { eachTerm, hanRuns } from '../analyse/terms.js'
import type { Lexicon } from '../lexicon/lexicon.js'

/** One need of a query: ways to say it, the best of which counts. */
export interface Concept {
  /** Terms and their weights (0…1). The first is the one that was written, if any. */
  readonly terms: ReadonlyMap<string, number>
  /** Weight of the concept in the query: repeated words count a little more. */
  readonly weight: number
}

// A query longer than this is a document; its beginning says what is wanted.
export const longestQuery = 4_000
const mostConcepts = 256
// Repeating a word in a query adds little.
const repetition = 0.3
const ignored: ReadonlySet<string> = new Set([...stopWords, ...askingWords])

/** What a query asks for. Words that only ask are left out unless nothing else was said. */
export const conceptsOf = (
  query: string,
  lexicon: Lexicon,
  _reach: 'words' | 'related' = 'words',
): readonly Concept[] => {
  const text = query.slice(0, longestQuery)
  const counts = countTerms(text, ignored)
  const written = counts.size > 0 ? counts : countTerms(text, new Set())
  const concepts = [...written].map(([term, count]) => ({ terms: new Map([[term, 1]]), weight: count ** repetition }))
  return [...concepts, ...translated(text, lexicon)].slice(0, mostConcepts)
}

const countTerms = (text: string, ignore: ReadonlySet<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  eachTerm(text, (term) => counts.set(term, (counts.get(term) ?? 0) + 1), ignore)
  return counts
}

const translated = (text: string, lexicon: Lexicon): readonly Concept[] => {
  const terms = lexicon.translate(hanRuns(text))
  return [...terms].map(([term, weight]) => ({ terms: new Map([[term, weight]]), weight: 1 }))
}

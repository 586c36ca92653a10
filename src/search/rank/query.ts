import { askingWords, stopWords } from '../analyse/stop-words.js'
import { eachTerm, hanRuns, termsOf } from '../analyse/terms.js'
import { smallTalk } from '../data/small-talk.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import { sharedThesaurus } from '../lexicon/thesaurus.js'
import { withMeant } from './meant.js'

/** One need of a query: ways to say it, the best of which counts. */
export interface Concept {
  /** Terms with weights (0…1): the written one, its translations, its relatives. */
  readonly terms: ReadonlyMap<string, number>
  /** Weight of the concept in the query: repeated words count a little more. */
  readonly weight: number
  /** `gram` is a piece of Chinese text, which may also be covered by a translated word. */
  readonly kind: 'word' | 'gram' | 'translation'
  /** The Chinese word that was translated. */
  readonly word?: string | undefined
  /** Whether the written word is small talk. */
  readonly isTalk: boolean
}

/** How far a query reaches: its own words and their translations, or also what else people call the same. */
export type QueryReach = 'words' | 'related'

// A query longer than this is a document; its beginning says what is wanted.
export const longestQuery = 4_000
const mostConcepts = 256
// Repeating a word in a query adds little.
const repetition = 0.3
// A related word counts this share of the written one, and less in a long query, which says enough by itself.
const relatedShare = 0.45
const relatedConcepts = 10
const ignored: ReadonlySet<string> = new Set([...stopWords, ...askingWords])
const startsHan = /^\p{Script=Han}/u

/** What a query asks for. Words that only ask are left out unless nothing else was said. */
export const conceptsOf = (query: string, lexicon: Lexicon, reach: QueryReach): readonly Concept[] => {
  const text = query.slice(0, longestQuery)
  const counts = countTerms(text, ignored)
  const written = [...(counts.size > 0 ? counts : countTerms(text, new Set()))].map(toConcept)
  // Bounded apart: the pieces of a long Chinese query must not push its translations out.
  const concepts = [...written.slice(0, mostConcepts), ...translationsOf(text, lexicon).slice(0, mostConcepts)]
  return reach === 'words' ? concepts : withMeant(withRelated(concepts), text)
}

/** Whether a text has nothing but words of asking and small talk. */
export const asksNothing = (text: string): boolean =>
  termsOf(text.slice(0, longestQuery), ignored).every((term) => talkTerms().has(term))

const countTerms = (text: string, ignore: ReadonlySet<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  eachTerm(text, (term) => counts.set(term, (counts.get(term) ?? 0) + 1), ignore)
  return counts
}

const toConcept = ([term, count]: [string, number]): Concept => ({
  terms: new Map([[term, 1]]),
  weight: count ** repetition,
  kind: startsHan.test(term) ? 'gram' : 'word',
  isTalk: talkTerms().has(term),
})

let talk: ReadonlySet<string> | undefined
const talkTerms = (): ReadonlySet<string> => (talk ??= new Set(termsOf(smallTalk, new Set())))

let talkWords: ReadonlySet<string> | undefined
const isTalkWord = (word: string): boolean => (talkWords ??= new Set(smallTalk.split(/\s+/))).has(word)

const translationsOf = (text: string, lexicon: Lexicon): readonly Concept[] => {
  const concepts = new Map<string, Concept>()
  for (const { word, terms } of hanRuns(text).flatMap((run) => lexicon.words(run))) {
    if (terms.size > 0) concepts.set(word, { terms, weight: 1, kind: 'translation', word, isTalk: isTalkWord(word) })
  }
  return [...concepts.values()]
}

const withRelated = (concepts: readonly Concept[]): readonly Concept[] => {
  const words = concepts.filter(({ kind }) => kind !== 'gram').length
  const share = relatedShare * Math.min(1, relatedConcepts / words)
  return concepts.map((concept) => (concept.kind === 'gram' ? concept : relate(concept, share)))
}

const relate = (concept: Concept, share: number): Concept => {
  const terms = new Map(concept.terms)
  for (const [term, weight] of concept.terms) {
    for (const other of sharedThesaurus().related(term)) {
      terms.set(other, Math.max(terms.get(other) ?? 0, weight * share))
    }
  }
  return { ...concept, terms }
}

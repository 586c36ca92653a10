import { termsOf } from '../analyse/terms.js'
import { meantBy } from '../lexicon/idioms.js'
import { type VerbMeant, verbsMeant } from '../lexicon/verbs.js'
import type { Concept } from './query.js'

// What a verb says besides what is meant by it: who opens a ticket may still want a tool that is called so.
const saidShare = 0.5
// A little less than a word that is written: at 1 metatool loses 0.2 more and the natural questions gain 1.
const idiomWeight = 0.8
const otherShare = 0.5
const none: ReadonlySet<string> = new Set()

/** The needs of a text with what is meant by its verbs and turns of speech, in the words that tools have for it. */
export const withMeant = (concepts: readonly Concept[], text: string): readonly Concept[] =>
  verbsMeant(text).reduce(readVerb, [...concepts, ...meantBy(text).map(toConcept)])

/** The verb's own concept says what is meant; a verb too short to have one gets one. */
const readVerb = (concepts: readonly Concept[], { verb, words }: VerbMeant): readonly Concept[] => {
  const wanted = termsOf(words, none)
  const [term] = termsOf(verb, none)
  const isVerb = ({ kind, word, terms }: Concept): boolean =>
    kind === 'translation' ? word === verb : kind === 'word' && terms.get(term!) === 1
  if (!concepts.some(isVerb)) return [...concepts, { ...toConcept(wanted), terms: new Map(sharesOf(wanted)) }]
  return concepts.map((each) => (isVerb(each) ? { ...each, terms: instead(each.terms, wanted), isTalk: false } : each))
}

const instead = (said: Concept['terms'], wanted: readonly string[]): Concept['terms'] => {
  const terms = new Map([...said].map(([term, share]) => [term, share * saidShare]))
  for (const [term, share] of sharesOf(wanted)) terms.set(term, share)
  return terms
}

/** The first word is what most tools call it. A rarer one must not beat it: `add` stands in few names, and often for something else. */
const sharesOf = (wanted: readonly string[]): readonly (readonly [string, number])[] =>
  wanted.map((term, place) => [term, place === 0 ? 1 : otherShare])

const toConcept = (terms: readonly string[]): Concept => ({
  terms: new Map(terms.map((term) => [term, 1])),
  weight: idiomWeight,
  kind: 'translation',
  isTalk: false,
})

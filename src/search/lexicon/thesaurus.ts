import { termsOf } from '../analyse/terms.js'
import { thesaurus } from '../data/thesaurus.js'

/** Other words for an English term, and English words for a Chinese one, by hand. */
export interface Thesaurus {
  /** Other terms for the same as a stemmed term. */
  related(term: string): ReadonlySet<string>
  /** Chinese words with their English terms. */
  readonly chinese: ReadonlyMap<string, ReadonlyMap<string, number>>
}

// The first words of a group say best what its Chinese words mean.
const translationWeights = [0.9, 0.7, 0.5, 0.4] as const
const lastWeight = 0.3

let read: Thesaurus | undefined

/** Read when first asked for; its data never change. */
export const sharedThesaurus = (): Thesaurus => (read ??= readThesaurus(thesaurus))

const readThesaurus = (text: string): Thesaurus => {
  const related = new Map<string, Set<string>>()
  const chinese = new Map<string, Map<string, number>>()
  for (const line of text.trim().split('\n')) {
    const [english = '', han = ''] = line.split('|')
    const terms = [...new Set(termsOf(english))]
    for (const term of terms) relate(related, term, terms)
    for (const word of han.split(' ').filter(Boolean)) translate(chinese, word, terms)
  }
  return { related: (term) => related.get(term) ?? none, chinese }
}

const none: ReadonlySet<string> = new Set()

const relate = (related: Map<string, Set<string>>, term: string, group: readonly string[]): void => {
  const known = related.get(term) ?? new Set()
  for (const other of group) if (other !== term) known.add(other)
  related.set(term, known)
}

const translate = (chinese: Map<string, Map<string, number>>, word: string, terms: readonly string[]): void => {
  const known = chinese.get(word) ?? new Map<string, number>()
  for (const [place, term] of terms.entries()) {
    known.set(term, Math.max(known.get(term) ?? 0, translationWeights[place] ?? lastWeight))
  }
  chinese.set(word, known)
}

import { termsOf } from '../analyse/terms.js'
import { inducedLexicon } from '../data/zh-en.js'
import { createCover } from './cover.js'
import { sharedThesaurus } from './thesaurus.js'

/** English terms for Chinese words. */
export interface Lexicon {
  /** Stemmed English terms for runs of Chinese, each with its weight (0…1). */
  translate(runs: readonly string[]): ReadonlyMap<string, number>
  /** The same run by run, word by word. */
  words(run: string): readonly TranslatedWord[]
}

export interface TranslatedWord {
  readonly word: string
  readonly terms: ReadonlyMap<string, number>
}

type Entries = ReadonlyMap<string, ReadonlyMap<string, number>>

// A single character has many meanings.
const singleCharacterFactor = 0.5

/** Reads its data when first asked: who never meets Chinese never pays for it. */
export const createLexicon = (): Lexicon => {
  let loaded: { readonly entries: Entries; readonly cover: (run: string) => readonly string[] } | undefined
  const load = () => {
    const entries = readEntries()
    return (loaded ??= { entries, cover: createCover(new Set(entries.keys())) })
  }
  const words = (run: string): readonly TranslatedWord[] => {
    const { entries, cover } = loaded ?? load()
    return cover(run).map((word) => ({ word, terms: entries.get(word) ?? none }))
  }
  return {
    words,
    translate: (runs) => {
      const terms = new Map<string, number>()
      for (const run of runs) {
        for (const word of words(run)) {
          for (const [term, weight] of word.terms) terms.set(term, Math.max(terms.get(term) ?? 0, weight))
        }
      }
      return terms
    },
  }
}

const none: ReadonlyMap<string, number> = new Map()

let shared: Lexicon | undefined

/** One lexicon serves all searches of the process: its data never change. */
export const sharedLexicon = (): Lexicon => (shared ??= createLexicon())

const readEntries = (): Entries => {
  const entries = new Map<string, Map<string, number>>()
  for (const line of inducedLexicon.trim().split('\n')) {
    const [word, ...translations] = line.split(' ') as [string, ...string[]]
    entries.set(word, readTranslations(word, translations))
  }
  // What a person wrote is added to what was counted; the surer of both decides.
  for (const [word, terms] of sharedThesaurus().chinese) {
    const known = entries.get(word) ?? new Map<string, number>()
    for (const [term, weight] of terms) known.set(term, Math.max(known.get(term) ?? 0, weight))
    entries.set(word, known)
  }
  return entries
}

const readTranslations = (word: string, translations: readonly string[]): Map<string, number> => {
  const terms = new Map<string, number>()
  const factor = word.length === 1 ? singleCharacterFactor : 1
  for (const translation of translations) {
    const [english, percent] = translation.split(':') as [string, string]
    for (const term of termsOf(english)) terms.set(term, Math.sqrt(Number(percent) / 100) * factor)
  }
  return terms
}

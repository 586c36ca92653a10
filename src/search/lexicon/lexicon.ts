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

type Translations = ReadonlyMap<string, number>

// A single character has many meanings.
const singleCharacterFactor = 0.5

/** Reads its data when first asked, and each entry when first met: who never meets Chinese never pays for it. */
export const createLexicon = (): Lexicon => {
  let loaded: Loaded | undefined
  const words = (run: string): readonly TranslatedWord[] => {
    loaded ??= load()
    const { cover, translationsOf } = loaded
    return cover(run).map((word) => ({ word, terms: translationsOf(word) }))
  }
  return {
    words,
    translate: (runs) => {
      const terms = new Map<string, number>()
      for (const word of runs.flatMap(words)) {
        for (const [term, weight] of word.terms) terms.set(term, Math.max(terms.get(term) ?? 0, weight))
      }
      return terms
    },
  }
}

let shared: Lexicon | undefined

/** One lexicon serves all searches of the process: its data never change. */
export const sharedLexicon = (): Lexicon => (shared ??= createLexicon())

interface Loaded {
  readonly cover: (run: string) => readonly string[]
  readonly translationsOf: (word: string) => Translations
}

const load = (): Loaded => {
  const lines = new Map(inducedLexicon.trim().split('\n').map(splitLine))
  const { chinese } = sharedThesaurus()
  const read = new Map<string, Translations>()
  return {
    cover: createCover((word) => lines.has(word) || chinese.has(word)),
    translationsOf: (word) => {
      const known = read.get(word)
      if (known) return known
      const line = lines.get(word)
      if (line === undefined && !chinese.has(word)) return none
      const fresh = join(readTranslations(word, line ?? ''), chinese.get(word) ?? none)
      read.set(word, fresh)
      return fresh
    },
  }
}

const none: Translations = new Map()

const splitLine = (line: string): [string, string] => {
  const blank = line.indexOf(' ')
  return [line.slice(0, blank), line.slice(blank + 1)]
}

const readTranslations = (word: string, line: string): Map<string, number> => {
  const terms = new Map<string, number>()
  const factor = word.length === 1 ? singleCharacterFactor : 1
  for (const translation of line.split(' ').filter(Boolean)) {
    const [english, percent] = translation.split(':') as [string, string]
    for (const term of termsOf(english)) terms.set(term, Math.sqrt(Number(percent) / 100) * factor)
  }
  return terms
}

/** What a person wrote is added to what was counted; the surer of both decides. */
const join = (counted: Map<string, number>, written: Translations): Translations => {
  for (const [term, weight] of written) counted.set(term, Math.max(counted.get(term) ?? 0, weight))
  return counted
}

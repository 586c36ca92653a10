import { termsOf } from '../analyse/terms.js'
import { inducedLexicon } from '../data/zh-en.js'
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

const longestWord = 8
// Few long words beat many short ones; a character that is no entry is the worst.
const wordCost = 1
const characterCost = 1.2
const unknownCost = 1.7

/** Cuts a run of Chinese into known words at the least cost; characters of no word stand alone. */
export const createCover = (isKnown: (word: string) => boolean): ((run: string) => readonly string[]) => {
  return (run) => {
    const characters = [...run]
    const costs = new Float64Array(characters.length + 1).fill(Infinity)
    const lengths = new Uint8Array(characters.length + 1)
    costs[0] = 0
    for (let end = 1; end <= characters.length; end++) {
      for (let length = 1; length <= Math.min(longestWord, end); length++) {
        const cost = costs[end - length]! + costOf(characters.slice(end - length, end).join(''), length, isKnown)
        if (cost > costs[end]!) continue
        costs[end] = cost
        lengths[end] = length
      }
    }
    return cut(characters, lengths)
  }
}

const costOf = (word: string, length: number, isKnown: (word: string) => boolean): number => {
  if (isKnown(word)) return length === 1 ? characterCost : wordCost
  return length === 1 ? unknownCost : Infinity
}

const cut = (characters: readonly string[], lengths: Uint8Array): readonly string[] => {
  const words: string[] = []
  for (let end = characters.length; end > 0; end -= lengths[end]!) {
    words.push(characters.slice(end - lengths[end]!, end).join(''))
  }
  return words.reverse()
}

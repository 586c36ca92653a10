import { foldWord, unify } from './fold.js'
import { stem } from './stem.js'
import { stopCharacters, stopWords } from './stop-words.js'

/** Receives each term once per occurrence; `extra` terms are other spellings of ones already given, not more text. */
export type TermSink = (term: string, extra: boolean) => void

// Scripts written without spaces are cut into single characters and pairs.
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}ー々'
const chunk = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const asciiChunk = /[A-Za-z0-9]+/g
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')
const nonAscii = /[^\p{ASCII}]/u

/** Cuts a text into terms: identifiers split, words stemmed, stop words left out, Chinese as characters and pairs. */
export const eachTerm = (text: string, sink: TermSink, ignore: ReadonlySet<string> = stopWords): void => {
  const plain = !nonAscii.test(text)
  const unified = plain ? text : unify(text).replaceAll('’', "'")
  for (const [part] of unified.matchAll(plain ? asciiChunk : chunk)) {
    if (!plain && isUnspaced.test(part)) eachGram(part, sink)
    else eachWord(part, sink, ignore)
  }
}

/** The terms of a text as a list, other spellings included. */
export const termsOf = (text: string, ignore: ReadonlySet<string> = stopWords): readonly string[] => {
  const terms: string[] = []
  eachTerm(text, (term) => terms.push(term), ignore)
  return terms
}

/** The runs of Chinese in a text, for the lexicon. */
export const hanRuns = (text: string): readonly string[] => unify(text).match(/\p{Script=Han}+/gu) ?? []

const eachGram = (run: string, sink: TermSink): void => {
  const characters = [...run]
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!
    if (!stopCharacters.has(character)) sink(character, false)
    if (i > 0) sink(characters[i - 1]! + character, false)
  }
}

// `URLs` and `IDs` before the rest, or their s would begin the next part.
const identifierPart = /[A-Z]{2,}(?=s(?![a-z]))s|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const pluralAcronym = /^[A-Z]{2,}s$/
const mixed = /[a-z][A-Z]|[A-Za-z][0-9]|[0-9][A-Za-z]|[A-Z]{2}[a-z]/
const longestJoined = 16

/** The words of a name as they are written, in lower case: `getUserInfo`, `create_pr`. */
export const wordsOfName = (name: string): readonly string[] =>
  (name.match(asciiChunk) ?? []).flatMap(partsOf).map((part) => part.toLowerCase())

const partsOf = (word: string): readonly string[] => (mixed.test(word) ? (word.match(identifierPart) ?? []) : [word])

const eachWord = (word: string, sink: TermSink, ignore: ReadonlySet<string>): void => {
  const parts = partsOf(word)
  for (const part of parts) emit(pluralAcronym.test(part) ? part.slice(0, -1) : part, sink, ignore)
  // `GitHub` is also asked for as github, and `s3` says more than its letter and digit.
  if (parts.length === 2 && word.length <= longestJoined) sink(stem(word.toLowerCase()), true)
}

const emit = (part: string, sink: TermSink, ignore: ReadonlySet<string>): void => {
  const word = foldWord(part)
  if (!ignore.has(word)) sink(stem(word), false)
}

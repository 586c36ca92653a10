import { askingWords, stopWords } from '../analyse/stop-words.js'
import { eachTerm } from '../analyse/terms.js'
import type { EmbeddingKind } from '../embedding/provider.js'

/** Receives a row of the table and the share of it that counts: pieces of one unknown word share a whole. */
export type RowSink = (row: number, share: number) => void

/** Which rows stand for a text. Training reads its text through this very function, so there is no second tokeniser. */
export interface RowReader {
  read(text: string, kind: EmbeddingKind, sink: RowSink): void
}

export interface Vocabulary {
  /** Stemmed words, Chinese characters and pairs, and `first second` for two words that belong together. */
  readonly rowOf: ReadonlyMap<string, number>
  /** Rows from here on belong to hashed pieces of words that are not known. */
  readonly firstPiece: number
  readonly pieces: number
}

const queryIgnores: ReadonlySet<string> = new Set([...stopWords, ...askingWords])
const digitsOnly = /^[0-9]+$/
const plainWord = /^[a-z][a-z0-9]{3,23}$/
const startsPlain = /^[a-z]/
const pieceLength = 4

export const createRowReader = ({ rowOf, firstPiece, pieces }: Vocabulary): RowReader => ({
  read: (text, kind, sink) => {
    const take = (term: string): void => {
      const row = rowOf.get(term)
      if (row !== undefined) sink(row, 1)
      else if (pieces > 0 && plainWord.test(term)) eachPiece(term, firstPiece, pieces, sink)
    }
    eachTermAndPair(text, kind, take, (pair) => {
      const row = rowOf.get(pair)
      if (row !== undefined) sink(row, 1)
    })
  },
})

/** The terms of a text and its pairs of neighbouring words. Numbers are left out: they name no tool. */
export const eachTermAndPair = (
  text: string,
  kind: EmbeddingKind,
  onTerm: (term: string) => void,
  onPair: (pair: string) => void,
): void => {
  let before = ''
  eachTerm(
    text,
    (term, extra) => {
      if (digitsOnly.test(term)) return
      onTerm(term)
      if (extra) return
      const plain = startsPlain.test(term)
      if (plain && before !== '') onPair(`${before} ${term}`)
      before = plain ? term : ''
    },
    kind === 'query' ? queryIgnores : stopWords,
  )
}

const eachPiece = (term: string, first: number, pieces: number, sink: RowSink): void => {
  const word = `<${term}>`
  const count = word.length - pieceLength + 1
  for (let at = 0; at < count; at++) sink(first + (hashPiece(word, at) % pieces), 1 / count)
}

// FNV-1a over the code units.
const hashPiece = (word: string, at: number): number => {
  let hash = 0x811c9dc5
  for (let i = at; i < at + pieceLength; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

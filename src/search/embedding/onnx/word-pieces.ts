import { GatewayError } from '../../../errors.js'
import { isRecord } from '../../../model/json.js'

/** The words of a BERT model by number, and how texts are cut into them. */
export interface WordPieces {
  /** Numbers of a text's pieces between the marks of its beginning and its end, at most `most` in all. */
  encode(text: string, most: number): readonly number[]
  readonly size: number
  /** What fills up a text for models that take one length only. */
  readonly padding: number
}

interface Reading {
  readonly lowercase: boolean
  readonly withoutAccents: boolean
  readonly unknown: string
  /** What a piece begins with that goes on a word. */
  readonly onward: string
}

type Vocabulary = ReadonlyMap<string, number>

const longestWord = 100

/** Reads `vocab.txt` (a piece a line) or `tokenizer.json` of a model whose pieces are WordPiece. */
export const parseWordPieces = (content: string): WordPieces => {
  const { vocabulary, reading } = content.trimStart().startsWith('{') ? fromJson(content) : fromLines(content)
  const unknown = numberOf(vocabulary, reading.unknown)
  const begin = numberOf(vocabulary, '[CLS]')
  const end = numberOf(vocabulary, '[SEP]')
  return {
    size: vocabulary.size,
    padding: vocabulary.get('[PAD]') ?? 0,
    encode: (text, most) => {
      const numbers = [begin]
      for (const word of wordsOf(text, reading)) {
        if (numbers.length >= most - 1) break
        for (const number of piecesOf(word, vocabulary, reading.onward) ?? [unknown]) numbers.push(number)
      }
      // A long word may have gone past the end.
      numbers.length = Math.min(numbers.length, Math.max(1, most - 1))
      numbers.push(end)
      return numbers
    },
  }
}

/** Whether capital letters count is not said there: a vocabulary that has none outside its marks was made without. */
const fromLines = (content: string): { vocabulary: Vocabulary; reading: Reading } => {
  const pieces = content.replace(/\r?\n$/, '').split(/\r?\n/)
  const lowercase = !pieces.some((piece) => !/^\[.*\]$/.test(piece) && /[A-Z]/.test(piece))
  const vocabulary = new Map(pieces.map((piece, number) => [piece, number]))
  return { vocabulary, reading: { lowercase, withoutAccents: lowercase, unknown: '[UNK]', onward: '##' } }
}

const fromJson = (content: string): { vocabulary: Vocabulary; reading: Reading } => {
  const written = parseJson(content)
  const model = isRecord(written) && isRecord(written.model) ? written.model : undefined
  const isWordPiece =
    model?.type === undefined ? model?.continuing_subword_prefix !== undefined : model.type === 'WordPiece'
  if (!model || !isWordPiece || !isRecord(model.vocab)) throw otherKind(model?.type)
  const normalizer = isRecord(written) && isRecord(written.normalizer) ? written.normalizer : {}
  const lowercase = normalizer.lowercase !== false
  const entries = Object.entries(model.vocab).filter((entry): entry is [string, number] => isNumber(entry[1]))
  return {
    vocabulary: new Map(entries),
    reading: {
      lowercase,
      withoutAccents: typeof normalizer.strip_accents === 'boolean' ? normalizer.strip_accents : lowercase,
      unknown: typeof model.unk_token === 'string' ? model.unk_token : '[UNK]',
      onward: typeof model.continuing_subword_prefix === 'string' ? model.continuing_subword_prefix : '##',
    },
  }
}

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const numberOf = (vocabulary: Vocabulary, mark: string): number => {
  const number = vocabulary.get(mark)
  if (number !== undefined) return number
  throw new GatewayError(
    'CONFIG_INVALID',
    `The vocabulary has no piece '${mark}'; name the vocab.txt or tokenizer.json that belongs to the model.`,
  )
}

const otherKind = (kind: unknown): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    `The vocabulary file is ${typeof kind === 'string' ? `of the kind '${kind.slice(0, 40)}'` : 'none'}; only WordPiece (BERT) models can be read, by their vocab.txt or tokenizer.json.`,
  )

// Characters that BERT takes for words of their own; Japanese syllables and Korean are not among them.
const han =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu
const marks = /[!-/:-@[-`{-~]|\p{P}/gu
const unseen = /(?![\t\n\r])\p{C}|\ufffd/gu

const wordsOf = (text: string, { lowercase, withoutAccents }: Reading): readonly string[] => {
  const apart = text.replace(unseen, '').replace(han, ' $& ')
  const plain = withoutAccents ? apart.normalize('NFD').replace(/\p{Mn}/gu, '') : apart
  const folded = lowercase ? plain.toLowerCase() : plain
  return folded.replace(marks, ' $& ').split(/\s+/u).filter(Boolean)
}

/** The longest piece first, again and again; undefined where one cannot be cut so. */
const piecesOf = (word: string, vocabulary: Vocabulary, onward: string): readonly number[] | undefined => {
  const letters = [...word]
  if (letters.length > longestWord) return undefined
  const numbers: number[] = []
  for (let from = 0; from < letters.length; ) {
    let to = letters.length
    let number: number | undefined
    for (; to > from && number === undefined; to--)
      number = vocabulary.get(`${from > 0 ? onward : ''}${letters.slice(from, to).join('')}`)
    if (number === undefined) return undefined
    numbers.push(number)
    from = to + 1
  }
  return numbers
}

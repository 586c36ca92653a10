import { readFileSync } from 'node:fs'
import { messageOf } from '../../errors.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Fusion } from '../embedding/fusion.js'
import type { EmbeddingKind, EmbeddingProvider } from '../embedding/provider.js'
import { modelText } from './model-text.js'
import { builtInRanking } from './ranking.js'
import { type ModelTable, readTable } from './table-file.js'
import { createRowReader } from './tokens.js'
import { queryPart, weighRows } from './weigh.js'
import { createWordByWord, mostNumberedRows } from './word-by-word.js'

const shippedFile = new URL('./data/table.bin', import.meta.url)
// Below it two texts share no more than the tone of tool speech.
const unrelated = 0.1

/** The model in the package: English and Chinese, no download, no service. Throws when its file cannot be used. */
export const createBuiltInEmbeddings = (file: URL = shippedFile): EmbeddingProvider => {
  const read = readTable(readFileSync(file))
  const words = read.queryWeights.length <= mostNumberedRows ? createWordByWord(read) : undefined
  const table = words ? { ...read, rows: words.rows } : read
  const embedOne = createStaticModel(table)
  return {
    id: `built-in-${table.fingerprint}`,
    dimensions: table.dimensions,
    unrelated,
    fusion: builtInFusion,
    ranking: builtInRanking,
    textOf: modelText,
    embed: async (texts, { kind }) => texts.map((text) => embedOne(text, kind)),
    embedSync: (texts, { kind, onRows }) =>
      texts.map((text, place) => embedOne(text, kind, words && onRows && ((rows) => onRows(place, rows)))),
    wordByWord: words?.likeness,
  }
}

// Undefined: not asked for yet. Null: it cannot be used, which was said once.
let shared: EmbeddingProvider | null | undefined

/** The same for all searches of the process, read when first wanted. Without a usable file there is none, and one warning. */
export const builtInEmbeddings = (logger?: Logger): EmbeddingProvider | undefined => {
  if (shared === undefined) shared = tryBuiltIn(shippedFile, logger) ?? null
  return shared ?? undefined
}

/** The model of a file, or a warning that searches match words only. */
export const tryBuiltIn = (file: URL, logger?: Logger): EmbeddingProvider | undefined => {
  try {
    return createBuiltInEmbeddings(file)
  } catch (error) {
    logger?.log(
      'warn',
      'search: the built-in model cannot be used, so words are matched only; install the package again',
      {
        error: messageOf(error),
      },
    )
    return undefined
  }
}

/**
 * The first glance: how the built-in model's voice joins the words before the best are looked at closer (ranking.ts). Held-out
 * training text would give the model two to three times this voice and lose where words match; so these two were chosen on
 * development sets, and what decides among the best was learned.
 */
const share = 0.175
// Chinese is matched by characters and by pairs of them, so words of its own language cover a smaller share of a query
// and reach a tool more surely than vectors do.
const chineseShare = 0.075

/** Words lead; a query none of whose words any tool has leaves the field to the model. */
const builtInFusion: Fusion = ({ lexical, similarity = 0, bothChinese }, { bestLexical }) =>
  bestLexical === 0 ? similarity : (lexical + (bothChinese ? chineseShare : share) * similarity) / (1 + share)

/** Turns a text into its vector, of length one, or all zeros when no row stands for any of it. */
type StaticModel = (text: string, kind: EmbeddingKind, onRows?: (rows: readonly number[]) => void) => Float32Array

// Pieces of a word without a row of its own tell its spelling more than its meaning. Training needs them whole, to learn from
// words of any kind; counting less here, the model alone gained 0.6 on the mean of the development sets (metatool 2.7).
const pieceShare = 0.7

/** A bag of rows: no layers and no order, which is why it takes microseconds. */
export const createStaticModel = (table: ModelTable): StaticModel => {
  const { dimensions, firstPiece, rows, partWeights, queryWeights, toolWeights } = table
  const reader = createRowReader(table)
  return (text, kind, onRows) => {
    const sum = new Float32Array(dimensions)
    const distinct = new Set<number>()
    let known = false
    weighRows(reader, text, kind, (row, weight, part) => {
      distinct.add(row)
      known ||= row < firstPiece
      const share = row < firstPiece ? weight : weight * pieceShare
      const factor = share * partWeights[part]! * (part === queryPart ? queryWeights : toolWeights)[row]!
      const from = row * dimensions
      for (let i = 0; i < dimensions; i++) sum[i]! += factor * rows[from + i]!
    })
    onRows?.([...distinct])
    // Pieces alone are a spelling, not a meaning: nonsense must find nothing.
    return known ? normalise(sum) : new Float32Array(dimensions)
  }
}

const normalise = (vector: Float32Array): Float32Array => {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return vector
  const factor = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i]! *= factor
  return vector
}

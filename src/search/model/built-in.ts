import { readFileSync } from 'node:fs'
import { messageOf } from '../../errors.js'
import type { Logger } from '../../telemetry/logger.js'
import type { EmbeddingProvider } from '../embedding/provider.js'
import { builtInFusion } from './fusion.js'
import { modelText } from './model-text.js'
import { builtInRanking } from './ranking.js'
import { createStaticModel } from './static-model.js'
import { readTable } from './table-file.js'

const shippedFile = new URL('./data/table.bin', import.meta.url)
// Below it two texts share no more than the tone of tool speech.
const unrelated = 0.1

/** The model in the package: English and Chinese, no download, no service. Throws when its file cannot be used. */
export const createBuiltInEmbeddings = (file: URL = shippedFile): EmbeddingProvider => {
  const table = readTable(readFileSync(file))
  const embedOne = createStaticModel(table)
  return {
    id: `built-in-${table.fingerprint}`,
    dimensions: table.dimensions,
    unrelated,
    fusion: builtInFusion,
    ranking: builtInRanking,
    textOf: modelText,
    embed: async (texts, { kind }) => texts.map((text) => embedOne(text, kind)),
    embedSync: (texts, { kind }) => texts.map((text) => embedOne(text, kind)),
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

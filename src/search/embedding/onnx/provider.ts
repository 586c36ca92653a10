import { type Clock, systemClock } from '../../../model/clock.js'
import type { EmbeddingProvider } from '../provider.js'
import { OnnxHost } from './host.js'
import { usualRuntimes } from './runtime.js'

/** A sentence model of the BERT kind in a file of the user's own, run in a thread by ONNX Runtime, which the user installs. */
export interface OnnxOptions {
  /** The `.onnx` file: a text model with the inputs `input_ids`, `attention_mask` and, where it has it, `token_type_ids`. */
  readonly modelFile: string
  /** Its `vocab.txt` or `tokenizer.json` (WordPiece). */
  readonly vocabularyFile: string
  /** How the vectors of a text's pieces become one: their mean, or that of the first (`cls`, as BGE models want). Default `mean`. */
  readonly pooling?: 'mean' | 'cls' | undefined
  /** Put before each text; some models want `query: ` and `passage: `. */
  readonly prefixes?: { readonly query?: string | undefined; readonly tool?: string | undefined } | undefined
  /** Pieces of one text, 8 to 8,192; the rest is cut. Default 128: twice as many take twice as long. */
  readonly maxTokens?: number | undefined
  /** Largest model file. Default 512 MiB. */
  readonly maxModelBytes?: number | undefined
  /** Time for loading the model, and for a few texts. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Cosine up to which two texts have nothing to do with each other. Default: measured on a few texts when the model is loaded. */
  readonly unrelated?: number | undefined
  /** The package of ONNX Runtime, or its address. Default: `onnxruntime-node`, else `onnxruntime-web`. */
  readonly runtime?: string | undefined
  readonly clock?: Clock | undefined
}

/** Reads nothing yet: the thread begins, and the files are read, when the first text comes. `close` ends it. */
export const createOnnxEmbeddings = (
  options: OnnxOptions,
): Required<Pick<EmbeddingProvider, 'close'>> & EmbeddingProvider => {
  const { pooling = 'mean', prefixes = {}, maxTokens = 128, maxModelBytes = 512 * 1024 * 1024 } = options
  const host = new OnnxHost({
    task: {
      modelFile: options.modelFile,
      vocabularyFile: options.vocabularyFile,
      pooling,
      maxTokens: Math.min(8_192, Math.max(8, Math.trunc(maxTokens))),
      maxModelBytes,
      runtimes: options.runtime === undefined ? usualRuntimes : [options.runtime],
    },
    timeoutMs: options.timeoutMs ?? 30_000,
    clock: options.clock ?? systemClock,
  })
  return {
    get id() {
      return `onnx:${host.loaded?.fingerprint ?? ''}:${pooling}:${maxTokens}:${prefixes.query ?? ''}:${prefixes.tool ?? ''}`
    },
    get dimensions() {
      return host.loaded?.dimensions ?? 0
    },
    get unrelated() {
      return options.unrelated ?? host.loaded?.unrelated
    },
    prepare: () => host.load(),
    embed: (texts, { kind, signal }) =>
      host.embed(
        texts.map((text) => `${prefixes[kind] ?? ''}${text}`.slice(0, longestText)),
        { first: kind === 'query', signal },
      ),
    close: () => host.close(),
  }
}

const longestText = 8_000

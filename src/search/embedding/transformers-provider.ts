import { GatewayError, messageOf } from '../../errors.js'
import type { EmbeddingProvider } from './provider.js'

/** Models that run in this process by transformers.js, which the user installs: it is large and brings native parts. */
export interface TransformersOptions {
  /** A feature-extraction model, such as `Xenova/paraphrase-multilingual-MiniLM-L12-v2`. */
  readonly model: string
  /** Precision of the weights: `fp32`, `q8` … Default: the library's. */
  readonly dtype?: string | undefined
  readonly pooling?: 'mean' | 'cls' | undefined
  readonly prefixes?: { readonly query?: string | undefined; readonly tool?: string | undefined } | undefined
  /** Texts in one pass. Default 16. */
  readonly batchSize?: number | undefined
  readonly unrelated?: number | undefined
  /** How the library is loaded. Default: imported by its name when first needed. */
  readonly load?: (() => Promise<TransformersLibrary>) | undefined
}

/** The little of transformers.js that is used. */
export interface TransformersLibrary {
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<FeatureExtractor>
}

type FeatureExtractor = (
  texts: string[],
  options: object,
) => Promise<{ readonly dims: readonly number[]; readonly data: ArrayLike<number> }>

const libraryName = '@huggingface/transformers'
const longestText = 8_000

export const createTransformersEmbeddings = (options: TransformersOptions): EmbeddingProvider => {
  const { model, dtype, pooling = 'mean', prefixes = {}, batchSize = 16 } = options
  let dimensions = 0
  let extractor: Promise<FeatureExtractor> | undefined
  const load = (): Promise<FeatureExtractor> => {
    // A failed load is tried again next time: the network or the package may be there by then.
    extractor ??= loadExtractor(options).catch((error: unknown) => {
      extractor = undefined
      throw error
    })
    return extractor
  }
  return {
    id: `transformers:${model}:${dtype ?? ''}:${pooling}:${prefixes.query ?? ''}:${prefixes.tool ?? ''}`,
    get dimensions() {
      return dimensions
    },
    unrelated: options.unrelated,
    embed: async (texts, { kind, signal }) => {
      const extract = await load()
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += batchSize) {
        if (signal?.aborted) throw new GatewayError('CALL_CANCELLED', 'The search was cancelled.')
        const batch = texts
          .slice(from, from + batchSize)
          .map((text) => `${prefixes[kind] ?? ''}${text}`.slice(0, longestText))
        vectors.push(...rows(await extract(batch, { pooling, normalize: true }), batch.length))
      }
      dimensions = vectors[0]?.length ?? dimensions
      return vectors
    },
  }
}

const loadExtractor = async ({
  model,
  dtype,
  load = importLibrary,
}: TransformersOptions): Promise<FeatureExtractor> => {
  const library = await load()
  try {
    return await library.pipeline('feature-extraction', model, dtype === undefined ? {} : { dtype })
  } catch (cause) {
    throw new GatewayError(
      'SOURCE_UNAVAILABLE',
      `The embedding model '${model}' could not be loaded (${messageOf(cause)}); check its name and that it was downloaded or can be fetched.`,
      { cause },
    )
  }
}

const importLibrary = async (): Promise<TransformersLibrary> => {
  try {
    return (await import(libraryName)) as TransformersLibrary
  } catch (cause) {
    throw new GatewayError(
      'SOURCE_UNAVAILABLE',
      `The package '${libraryName}' is not installed; run 'npm install ${libraryName}', or use another embedding provider.`,
      { cause },
    )
  }
}

const rows = (
  { dims, data }: { dims: readonly number[]; data: ArrayLike<number> },
  count: number,
): readonly Float32Array[] => {
  const width = dims.at(-1) ?? 0
  if (dims.length !== 2 || dims[0] !== count || data.length !== count * width || width === 0) {
    throw new GatewayError(
      'RESULT_INVALID',
      'The embedding model did not give one vector per text; choose a sentence model.',
    )
  }
  const all = Float32Array.from(data)
  return Array.from({ length: count }, (_, i) => all.slice(i * width, (i + 1) * width))
}

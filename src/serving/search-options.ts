import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { createKeptVectors } from '../search/embedding/kept-vectors.js'
import type { EmbeddingProvider } from '../search/embedding/provider.js'
import type { SearchOptions } from '../search/search.js'
import type { Store } from '../storage/store.js'
import { say } from './locale.js'
import { loadAlgorithms } from './search-plugins.js'

/** How the configuration wants tools to be found. Providers are loaded only where one is asked for. */
export const searchOptions = async (
  { search }: Config,
  clock: Clock,
  store: Store | undefined,
): Promise<Omit<SearchOptions, 'clock' | 'logger'>> => {
  const embedding = await providerOf(search.embedding, clock)
  const vectorCache = store && createKeptVectors(store.documents('vectors'))
  const common = {
    method: search.method,
    algorithms: search.algorithms ? await loadAlgorithms(search.algorithms) : undefined,
  }
  if (!embedding) return { ...common, embedding: search.embedding.provider === 'off' ? 'off' : undefined }
  // A model of the user's own is heard beside the one in the package: alone it is worse across languages.
  if (search.embedding.provider === 'onnx') return { ...common, beside: embedding, vectorCache }
  return { ...common, embedding, vectorCache }
}

const providerOf = async (
  { provider, url, model, apiKey, timeoutMs, ...more }: Config['search']['embedding'],
  clock: Clock,
): Promise<EmbeddingProvider | undefined> => {
  if (provider === 'openai') {
    const { createHttpEmbeddings } = await import('../search/embedding/http-provider.js')
    return createHttpEmbeddings({ url: url!, model: required(model, 'openai'), clock, apiKey, timeoutMs })
  }
  if (provider === 'transformers') {
    const { createTransformersEmbeddings } = await import('../search/embedding/transformers-provider.js')
    return createTransformersEmbeddings({ model: required(model, 'transformers') })
  }
  if (provider === 'onnx') {
    const { createOnnxEmbeddings } = await import('../search/embedding/onnx/provider.js')
    const { modelFile, vocabularyFile, pooling, maxTokens, queryPrefix, toolPrefix } = more
    return createOnnxEmbeddings({
      modelFile: required(modelFile, 'onnx', 'modelFile'),
      vocabularyFile: required(vocabularyFile, 'onnx', 'vocabularyFile'),
      prefixes: { query: queryPrefix, tool: toolPrefix },
      ...{ pooling, maxTokens, timeoutMs, clock },
    })
  }
  return undefined
}

const required = (value: string | undefined, provider: string, key = 'model'): string => {
  if (value !== undefined) return value
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `search.embedding.${key} is required for the ${provider} provider; say which one it should use.`,
      `使用 ${provider} 时必须设置 search.embedding.${key}；请写明。`,
    ),
  )
}

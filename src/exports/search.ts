/** `pegboard/search`: tools found by words, in English and Chinese, without a gateway. See docs/api.md. */
export type { AlgorithmHit, SearchAlgorithm } from '../search/algorithm.js'
export type { CandidateFeatures, Fusion as SearchFusion, QueryFeatures } from '../search/embedding/fusion.js'
export { createHttpEmbeddings, type HttpEmbeddingOptions } from '../search/embedding/http-provider.js'
export { createOnnxEmbeddings, type OnnxOptions } from '../search/embedding/onnx/provider.js'
export type { EmbeddingKind, EmbeddingProvider, EmbedOptions, EmbedSyncOptions } from '../search/embedding/provider.js'
export type { Ranking as SearchRanking, RankingFeatures } from '../search/embedding/ranking.js'
export {
  createTransformersEmbeddings,
  type TransformersLibrary,
  type TransformersOptions,
} from '../search/embedding/transformers-provider.js'
export { createMemoryVectorCache, type VectorCache } from '../search/embedding/vector-cache.js'
export type { LiveSearchOptions } from '../search/live-search.js'
export { builtInEmbeddings } from '../search/model/built-in.js'
export type { Coverage as QueryCoverage } from '../search/rank/coverage.js'
export type { SaidShares } from '../search/rank/said.js'
export { createSearch, type SearchOptions } from '../search/search.js'
export {
  type BuiltInMethod,
  builtInMethods,
  type SearchArea,
  type SearchMethod,
  type SearchOutcome,
  type SearchQueryOptions,
  type SearchResult,
  type ToolChanges as CatalogChange,
  type ToolSearch,
} from '../search/tool-search.js'

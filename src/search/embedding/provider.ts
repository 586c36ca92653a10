import type { Tool } from '../../model/tool.js'
import type { Fusion } from './fusion.js'
import type { Ranking } from './ranking.js'

/** What is embedded: models are often trained to treat the asking and the described side differently. */
export type EmbeddingKind = 'query' | 'tool'

export interface EmbedOptions {
  readonly kind: EmbeddingKind
  readonly signal?: AbortSignal | undefined
}

export interface EmbedSyncOptions {
  readonly kind: EmbeddingKind
  /** Receives the distinct words of each text as numbers of the model's, where it compares word by word. */
  readonly onRows?: ((place: number, rows: readonly number[]) => void) | undefined
}

/** Turns texts into vectors. */
export interface EmbeddingProvider {
  /** Names model and settings: vectors of another id are never mixed with these. */
  readonly id: string
  /** Length of a vector; 0 while it is not known yet. */
  readonly dimensions: number
  /** Cosine up to which two texts have nothing to do with each other, for this model. Default 0.2. */
  readonly unrelated?: number | undefined
  /** How this model's similarities join the words in `auto`, where it was taught that. Default: a fixed share. */
  readonly fusion?: Fusion | undefined
  /** Orders the best candidates of `auto` by all that is known of them, where that was learned for this model. */
  readonly ranking?: Ranking | undefined
  /** Resolves when `id` and `dimensions` are known, where that takes reading a file; asked before each batch of tools. */
  prepare?(): Promise<void>
  /** What this model reads of a tool. Default: its source, name, title, description and parameters as prose. */
  textOf?(tool: Tool): string
  /** One vector per text, in order. They need not be normalised. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  /** The same at once, for models in our own process; with it `searchSync` can use them too. */
  embedSync?(texts: readonly string[], options: EmbedSyncOptions): readonly Float32Array[]
  /** How well each word of a query is met by some word of a tool, 0 to 1 for each tool; tools as `onRows` gave them. */
  readonly wordByWord?: ((query: string, tools: readonly Uint16Array[]) => Float32Array) | undefined
  /** Lets go of what it holds, such as a thread. A gateway closes the one it was given. */
  close?(): Promise<void>
}

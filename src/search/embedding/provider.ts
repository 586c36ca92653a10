import type { Tool } from '../../model/tool.js'
import type { Fusion } from './fusion.js'
import type { Ranking } from './ranking.js'

/** What is embedded: models are often trained to treat the asking and the described side differently. */
export type EmbeddingKind = 'query' | 'tool'

export interface EmbedOptions {
  readonly kind: EmbeddingKind
  readonly signal?: AbortSignal | undefined
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
  /** What this model reads of a tool. Default: its source, name, title, description and parameters as prose. */
  textOf?(tool: Tool): string
  /** One vector per text, in order. They need not be normalised. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  /** The same at once, for models in our own process; with it `searchSync` can use them too. */
  embedSync?(texts: readonly string[], options: { readonly kind: EmbeddingKind }): readonly Float32Array[]
}

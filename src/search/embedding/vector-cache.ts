import { hash } from 'node:crypto'
import type { EmbeddingKind } from './provider.js'

/** Vectors by the hash of what they were made from. A store may implement it, so that a restart embeds nothing anew. */
export interface VectorCache {
  /** One answer per key, in order. */
  get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>
  set(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void>
}

/** The key of a text's vector: equal texts under one model share it. */
export const vectorKey = (providerId: string, kind: EmbeddingKind, text: string): string =>
  hash('sha256', JSON.stringify([providerId, kind, text]), 'hex')

/** Vectors in memory; beyond `most` (default 20,000) the oldest go. */
export const createMemoryVectorCache = (most = 20_000): VectorCache => {
  const vectors = new Map<string, Float32Array>()
  return {
    get: async (keys) => keys.map((key) => vectors.get(key)),
    set: async (entries) => {
      for (const [key, vector] of entries) {
        vectors.delete(key)
        vectors.set(key, vector)
      }
      for (const key of vectors.keys()) {
        if (vectors.size <= most) break
        vectors.delete(key)
      }
    },
  }
}

import type { VectorCache } from './vector-cache.js'

/** The little of a store that vectors need: named documents that survive a restart. */
export interface VectorDocuments {
  get(id: string): Promise<unknown>
  putMany(documents: readonly { readonly id: string; readonly value: { readonly floats: string } }[]): Promise<void>
}

/** Vectors kept in a store by the hash of their text, so that a restart asks no service for what it knows. */
export const createKeptVectors = (documents: VectorDocuments): VectorCache => ({
  get: (keys) => Promise.all(keys.map(async (key) => toVector(await documents.get(key)))),
  set: (entries) => documents.putMany(entries.map(([key, vector]) => ({ id: key, value: { floats: toText(vector) } }))),
})

const toText = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

/** What cannot be a vector is as good as absent: it is made again. */
const toVector = (value: unknown): Float32Array | undefined => {
  const text = typeof value === 'object' && value !== null && 'floats' in value ? value.floats : undefined
  if (typeof text !== 'string') return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  const vector = new Float32Array(bytes.length / 4)
  for (let index = 0; index < vector.length; index++) vector[index] = bytes.readFloatLE(index * 4)
  return vector.every(Number.isFinite) ? vector : undefined
}

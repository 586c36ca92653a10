import type { EmbeddingProvider } from './provider.js'

const usuallyUnrelated = 0.2

/** From a model's cosine to how alike two texts are: 0 for what is unrelated, 1 for equal directions. */
export const likenessFor = ({ unrelated = usuallyUnrelated }: EmbeddingProvider) => {
  const scale = 1 / (1 - unrelated)
  return (cosine: number): number => Math.min(1, Math.max(0, (cosine - unrelated) * scale))
}

/** What counts in the order of the best tools; made by training/ranking.py from training text, see training/log/ranking.txt. */
export const rankingWeights = {
  lexical: 1,
  similarity: 0.175,
  'similarity, both Chinese': -0.1,
} as const

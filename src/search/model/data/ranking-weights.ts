/**
 * What counts in the order of the best tools; made by training/ranking.py from training text, see training/log/ranking.txt. Said, word by
 * word, action and the name that is said were set by hand beside them (docs/search-quality.md): learning them as well gained nothing.
 */
export const rankingWeights = {
  lexical: 1,
  similarity: 0.166,
  'similarity, both Chinese': -0.134,
  covered: 0.035,
  exact: 0.02,
  clause: 0.065,
  'clause, both Chinese': 0.009,
  'covered, both Chinese': 0.106,
  'similarity across languages': 0.135,
  'covered across languages': 0.061,
  said: 0.05,
  'word by word': 0.1,
  action: 0.055,
  'its name is said, long query': 0.025,
  'source similarity': 0.003,
  named: -0.015,
  sourced: -0.059,
  'small talk': -0.012,
  'similarity, short query': -0.017,
  'covered, short query': 0.015,
} as const

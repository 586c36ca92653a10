import type { Clock } from '../../model/clock.js'
import type { AlgorithmHit, SearchAlgorithm } from '../algorithm.js'
import { compileMatcher } from '../regex/compile.js'

/**
 * RegistryTools' regex scoring (`compat: true`): name, description and tags with raw weights, and nothing for what is no
 * pattern. The time bound of our own engine stays: the original has none.
 */
export const createReferenceRegex = (clock: Clock): SearchAlgorithm => ({
  index: () => {},
  search: (query, tools, limit) => {
    const matcher = compileMatcher(query, clock)
    if (matcher.literal) return []
    const texts = tools.flatMap(({ id, definition, tags }) => [id, definition.description ?? '', tags.join('\n')])
    const { found } = matcher.match(texts)
    const hits: AlgorithmHit[] = []
    for (const [i, tool] of tools.entries()) {
      const score = Math.max(
        weights[0]![found[3 * i]!]!,
        weights[1]![found[3 * i + 1]!]!,
        weights[2]![found[3 * i + 2]!]!,
      )
      if (score > 0) hits.push({ tool, score, matchReason: 'regex_pattern_match' })
    }
    return hits.sort((left, right) => right.score - left.score).slice(0, limit)
  },
})

// None, part, full; for name, description, tag.
const weights: readonly (readonly number[])[] = [
  [0, 0.8, 1],
  [0, 0.4, 0.6],
  [0, 0.3, 0.5],
]

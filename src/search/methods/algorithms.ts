import { GatewayError } from '../../errors.js'
import type { Tool } from '../../model/tool.js'
import type { AlgorithmHit, SearchAlgorithm } from '../algorithm.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { toolsIn } from '../rank/view.js'
import { finish, type Request } from '../request.js'
import type { SearchOutcome } from '../tool-search.js'

/** Algorithms by name (002-08). */
export interface Algorithms {
  use(method: string, algorithm: SearchAlgorithm): void
  has(method: string): boolean
  answer(request: Request): SearchOutcome | Promise<SearchOutcome>
  readonly names: readonly string[]
}

export const createAlgorithms = (index: LexicalIndex): Algorithms => {
  const known = new Map<string, { readonly algorithm: SearchAlgorithm; version: number }>()
  return {
    use: (method, algorithm) => {
      if (typeof algorithm?.index !== 'function' || typeof algorithm.search !== 'function') {
        throw new GatewayError('ARGUMENTS_INVALID', 'A search algorithm needs the functions index and search.')
      }
      known.set(method, { algorithm, version: -1 })
    },
    has: (method) => known.has(method),
    answer: (request) => {
      const entry = known.get(request.method)!
      if (entry.version !== index.version) entry.algorithm.index(toolsIn(index, undefined))
      entry.version = index.version
      const hits = entry.algorithm.search(request.query, toolsIn(index, request.view), request.limit)
      return hits instanceof Promise
        ? hits.then((late) => collect(late, request, index))
        : collect(hits, request, index)
    },
    get names() {
      return [...known.keys()]
    },
  }
}

const collect = (hits: readonly AlgorithmHit[], request: Request, index: LexicalIndex): SearchOutcome => {
  const results = hits
    .filter(({ tool }) => isVisible(tool, request, index))
    .slice(0, request.limit)
    .map(({ tool, score, matchReason }) => ({ tool, score: clamp(score), matchReason: matchReason ?? request.method }))
  return finish(results, request, { least: 0 })
}

const isVisible = (tool: Tool, { view }: Request, index: LexicalIndex): boolean => {
  const slot = index.slot(tool.id)
  return slot !== undefined && index.tool(slot) === tool && (!view || view.visible[slot] === 1)
}

const clamp = (score: number): number => (score >= 0 ? Math.min(1, score) : 0)

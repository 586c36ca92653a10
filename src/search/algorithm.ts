import type { Tool } from '../model/tool.js'

export interface AlgorithmHit {
  readonly tool: Tool
  /** Clamped to 0…1. */
  readonly score: number
  readonly matchReason?: string | undefined
}

/**
 * A way of searching that someone else wrote (002-08). `index` is told of all tools after each change of the catalog,
 * before the next search; `search` gets the tools the caller may see, and whatever else it returns is dropped.
 */
export interface SearchAlgorithm {
  index(tools: readonly Tool[]): void
  search(
    query: string,
    tools: readonly Tool[],
    limit: number,
  ): readonly AlgorithmHit[] | Promise<readonly AlgorithmHit[]>
}

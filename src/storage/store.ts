import type { ToolDefinition, ToolTraits } from '../model/tool.js'

export type Temperature = 'hot' | 'warm' | 'cold'

/** A tool as it survives a restart: its definition, where it came from, and how often it was used (002-12). */
export interface StoredTool extends ToolTraits {
  readonly id: string
  readonly namespace: string
  readonly source: string
  readonly definition: ToolDefinition
  readonly tags: readonly string[]
  readonly useCount: number
  /** Milliseconds since the epoch, or null when never used. */
  readonly lastUsed: number | null
  readonly temperature: Temperature
}

export interface StoreProblem {
  readonly file: string
  readonly reason: string
}

/**
 * What survives a restart. When a promise resolves, the change is on disk; when it rejects, what was there before
 * still is. One contract suite (`test/contracts/store.ts`) holds every backend to this.
 */
export interface Store extends AsyncDisposable {
  /** All tools, sorted by id. */
  load(): Promise<readonly StoredTool[]>
  save(tool: StoredTool): Promise<void>
  /** Adds or replaces these and leaves the others; all of them or none. */
  saveMany(tools: readonly StoredTool[]): Promise<void>
  /** True if there was such a tool. */
  delete(id: string): Promise<boolean>
  /** The problems found by reading everything back; empty means sound. */
  validate(): Promise<readonly StoreProblem[]>
  /** Most used first. `limit` must not be negative. */
  loadByTemperature(temperature: Temperature, limit?: number): Promise<readonly StoredTool[]>
  loadByTag(tag: string): Promise<readonly StoredTool[]>
}

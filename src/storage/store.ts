import type { JsonValue } from '../model/json.js'
import type { Temperature } from '../model/temperature.js'
import type { ToolDefinition, ToolSpec, ToolTraits } from '../model/tool.js'

export type { Temperature } from '../model/temperature.js'

/** The source of definitions that were registered and that nobody here runs. */
export const registeredSource = 'registered'

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

/** What a source had reported, or somebody registered. */
export const toSpec = ({ source, id, namespace, useCount, lastUsed, temperature, ...spec }: StoredTool): ToolSpec =>
  spec

/** How often a tool was used, or was used since it was last said. */
export interface ToolUses {
  readonly id: string
  readonly count: number
  readonly lastUsed: number | null
}

/** Which tools, where all at once would be too many. */
export interface ToolSelection {
  readonly source?: string | undefined
  readonly notSource?: string | undefined
  readonly temperature?: Temperature | undefined
  /** Only ids behind this one. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export interface StoreProblem {
  readonly file: string
  readonly reason: string
}

/** A small named value beside the tools: a key, a verdict, an approval. */
export interface StoredDocument {
  readonly id: string
  readonly value: JsonValue
}

/** The documents of one kind, for those who only look. */
export interface DocumentReader {
  get(id: string): Promise<JsonValue | undefined>
  /** All documents, sorted by id. */
  all(): Promise<readonly StoredDocument[]>
}

/** The documents of one kind, with the promises of {@link Store}. */
export interface DocumentSet extends DocumentReader {
  put(id: string, value: JsonValue): Promise<void>
  /** Adds or replaces these and leaves the others; all of them or none. */
  putMany(documents: readonly StoredDocument[]): Promise<void>
  /** Adds a document unless those that are there forbid it, with no other write in between; true if it was added. */
  addUnless(id: string, value: JsonValue, forbid: (there: readonly StoredDocument[]) => boolean): Promise<boolean>
  /**
   * Changes a document that is there, with no other write in between; false when there is none, so that a late note about
   * a deleted document does not bring it back. `change` must not wait and may be called more than once.
   */
  update(id: string, change: (current: JsonValue) => JsonValue): Promise<boolean>
  /** True if there was such a document. */
  delete(id: string): Promise<boolean>
  /** Adds those of whose id there is none yet and leaves the others as they are. Without it nobody else writes. */
  addMany?(documents: readonly StoredDocument[]): Promise<void>
  /**
   * Told that somebody, perhaps we, may have written since; without it nobody else does, or `refresh` says so. What the
   * listener returns is waited for before it is told again.
   */
  follow?(listener: () => void | Promise<void>): () => void
}

/** Documents that several processes read and write at the same time, as the keys of a running gateway. */
export interface SharedDocuments extends DocumentSet, AsyncDisposable {
  /** Cheap: true if anybody, ourselves included, has written since the last call. */
  refresh(): Promise<boolean>
  /**
   * Adds to `useCount` and `lastUsed` of documents that are objects, without anybody being told. Where it is missing, `update`
   * does the same and everybody is.
   */
  addUses?(uses: readonly ToolUses[]): Promise<void>
}

/** What survived, for those who only look: another process may own it and go on writing. Every read is as of now. */
export interface StoreReader {
  /** All tools, sorted by id. */
  load(): Promise<readonly StoredTool[]>
  /** A part of the tools, sorted by id. A store without it is loaded whole. */
  select?(selection: ToolSelection): Promise<readonly StoredTool[]>
  /** The documents of a kind: lower-case letters, digits and hyphens, as `verdicts`. */
  documents(kind: string): DocumentReader
}

/**
 * What survives a restart. When a promise resolves, the change is on disk; when it rejects, what was there before
 * still is. One contract suite (`test/contracts/store.ts`) holds every backend to this.
 */
export interface Store extends StoreReader, AsyncDisposable {
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
  /** The tools that were used, without their definitions. A store without it is loaded whole. */
  uses?(): Promise<readonly ToolUses[]>
  /**
   * Definitions as they are now, beside the counts that are there, and uses to add to those counts; all of it or none.
   * Several writers add up. In a store without it the last writer's counts stay.
   */
  merge?(tools: readonly StoredTool[], uses: readonly ToolUses[]): Promise<void>
  documents(kind: string): DocumentSet
  /** The kinds of which there are documents, sorted. */
  kinds?(): Promise<readonly string[]>
  /** Adds these unless one of them was registered before: its id, and then none was added. Without it nobody else writes. */
  add?(tools: readonly StoredTool[]): Promise<string | undefined>
  /**
   * Told what others wrote, perhaps also what we did: tools as they are now, and ids of those that are gone. Whatever is
   * written after this was called is told, so whoever follows first and then loads misses nothing. Uses are not told. A
   * store of one process has no others.
   */
  follow?(listener: (changed: readonly StoredTool[], gone: readonly string[]) => void): () => void
}

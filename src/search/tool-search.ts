import type { CancelSignal } from '../model/cancel.js'
import type { Tool, ToolId } from '../model/tool.js'
import type { SearchAlgorithm } from './algorithm.js'

/** The methods that are always known by name (002-15), and our hybrid. */
export const builtInMethods = ['regex', 'bm25', 'embedding', 'auto'] as const

export type BuiltInMethod = (typeof builtInMethods)[number]

/** Built in, or the name of a registered algorithm (002-08). */
export type SearchMethod = BuiltInMethod | (string & {})

/** What became of the catalog since the last `apply`. */
export interface ToolChanges {
  readonly added: readonly Tool[]
  readonly changed: readonly Tool[]
  readonly removed: readonly Tool[]
}

export interface SearchQueryOptions {
  /** Default `auto`. */
  readonly method?: SearchMethod | undefined
  /** How many results at most. Default 5; 0 gives none. */
  readonly limit?: number | undefined
  /**
   * Which tools this caller may see. The others take no part: they are not found, not counted, and do not move the
   * scores of what is. Verdicts are remembered per function until the next `apply`: keep one function per set of rules
   * (searches stay fast) and make a new one when the rules change.
   */
  readonly accept?: ((tool: Tool) => boolean) | undefined
  /** How often a tool was used. It decides between equal scores and nothing else. */
  readonly usage?: ((id: ToolId) => number) | undefined
  /** Which tools the operator calls read-only: one reason less not to put a tool first for a wish to read. */
  readonly isReadonly?: ((tool: Tool) => boolean) | undefined
  readonly signal?: CancelSignal | undefined
}

export interface SearchResult {
  readonly tool: Tool
  /** 0…1: how much of the query the tool answers. Comparable across queries. */
  readonly score: number
  /** The fields that matched, best known first: `name, description`. */
  readonly matchReason: string
  /** `weak`: too little speaks for the tool to trust it unread. Left out otherwise. */
  readonly match?: 'weak' | undefined
  /** Of a wish of several parts: the one it serves, in the words of the query. */
  readonly part?: string | undefined
}

/** What there is to ask for, where nothing was found: some of a category's tools. */
export interface SearchArea {
  /** As `list_tools_by_category` has it: the tools' own, else their namespace. */
  readonly category: string
  /** How many tools of it the asker may see. */
  readonly tools: number
  /** The most used of them, three at most. */
  readonly examples: readonly Tool[]
}

export interface SearchOutcome {
  /** Best first. */
  readonly results: readonly SearchResult[]
  /** What was really used: `bm25` where `embedding` was asked for and could not answer. */
  readonly method: SearchMethod
  /** What the asker should know: nothing matched, matches are weak, a part was not available. */
  readonly notice?: string | undefined
  /** `weak` where even the best result is. */
  readonly match?: 'weak' | undefined
  /** What a wish of several parts asks for one by one (method `auto`); each is served where something serves it. Left out for one part. */
  readonly parts?: readonly string[] | undefined
  /** Beside no results: what there is to ask for, the largest categories first, eight at most. Only what the asker may see. */
  readonly areas?: readonly SearchArea[] | undefined
}

/** Finds tools by words. Updates are synchronous, so a search sees the catalog before or after one, never between. */
export interface ToolSearch {
  apply(change: ToolChanges): void
  search(query: string, options?: SearchQueryOptions): Promise<SearchOutcome>
  /** The same without waiting; methods that must wait (a remote embedding, an asynchronous algorithm) are refused. */
  searchSync(query: string, options?: SearchQueryOptions): SearchOutcome
  /** Registers an algorithm under a name; one of a built-in method replaces it. */
  use(method: string, algorithm: SearchAlgorithm): void
  /** Resolves when every tool has its vector, or at once without embeddings; rejects when that failed. */
  ready(): Promise<void>
  readonly methods: readonly string[]
  readonly size: number
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import type { Tool } from '../model/tool.js'
import type { SearchOptions } from './search.js'
import type { SearchOutcome, SearchQueryOptions, ToolChanges, ToolSearch } from './tool-search.js'

/** Where the tools are and how they change; the catalog is one. */
export interface ToolFeed {
  snapshot(): { readonly tools: readonly Tool[] }
  onChange(listener: (change: ToolChanges) => void): () => void
}

/** Who may see which tool; the policy is one. Only profile and rights of a caller may matter. */
export interface SeeingRules {
  decide(caller: Caller, tool: Tool, action: 'see'): { readonly allowed: boolean }
  onChange(listener: () => void): () => void
}

export interface LiveSearchOptions extends SearchOptions {
  /** Told of every search that was answered, for counting. */
  readonly onSearch?: ((method: string, latencyMs: number, results: number) => void) | undefined
}

export type LiveSearch = (
  query: string,
  options: Omit<SearchQueryOptions, 'accept'>,
  caller: Caller,
) => Promise<SearchOutcome>

const mostCallers = 64

/**
 * One index for everybody who searches. Made at the first search: loading the word lists costs more than loading the
 * rest of a gateway, and many gateways are never searched.
 */
export const createLiveSearch = (feed: ToolFeed, rules: SeeingRules, options: LiveSearchOptions): LiveSearch => {
  const { clock = systemClock, onSearch } = options
  let started: Promise<ToolSearch> | undefined
  const accepts = new Map<string, (tool: Tool) => boolean>()
  rules.onChange(() => accepts.clear())

  // One function per set of rules: the search remembers verdicts by function.
  const acceptOf = (caller: Caller): ((tool: Tool) => boolean) => {
    const key = JSON.stringify([caller.profile, caller.rights])
    const found = accepts.get(key) ?? ((tool: Tool) => !tool.own && rules.decide(caller, tool, 'see').allowed)
    if (accepts.size >= mostCallers) accepts.clear()
    accepts.set(key, found)
    return found
  }
  return async (query, more, caller) => {
    started ??= start(feed, options)
    const search = await started
    const startedAt = clock.now()
    const outcome = await search.search(query, { ...more, accept: acceptOf(caller) })
    onSearch?.(outcome.method, clock.now() - startedAt, outcome.results.length)
    return outcome
  }
}

const start = async (feed: ToolFeed, options: SearchOptions): Promise<ToolSearch> => {
  const { createSearch } = await import('./search.js')
  const embedding =
    options.embedding ?? (await import('./model/built-in.js')).builtInEmbeddings(options.logger) ?? 'off'
  const search = createSearch({ ...options, embedding })
  await addInSlices(search, feed)
  return search
}

// About 20 ms of work. 100,000 tools take seconds to index, and whoever is not searching must not wait for that.
const sliceSize = 512

/** Brings in what there is, others having a turn between slices; what changes meanwhile is applied after it, in order. */
const addInSlices = async (search: ToolSearch, feed: ToolFeed): Promise<void> => {
  const meanwhile: ToolChanges[] = []
  let apply = (change: ToolChanges): void => void meanwhile.push(change)
  const { tools } = feed.snapshot()
  feed.onChange((change) => apply(change))
  for (let from = 0; from < tools.length; from += sliceSize) {
    if (from > 0) await nextTurn()
    search.apply({ added: tools.slice(from, from + sliceSize), changed: [], removed: [] })
  }
  for (const change of meanwhile) search.apply(change)
  apply = search.apply
}

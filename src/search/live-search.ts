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
  let started: Promise<Following> | undefined
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
    const { search, caughtUp } = await started
    await caughtUp()
    const startedAt = clock.now()
    const outcome = await search.search(query, { ...more, accept: acceptOf(caller) })
    onSearch?.(outcome.method, clock.now() - startedAt, outcome.results.length)
    return outcome
  }
}

/** Lets go of what the models of a search hold. */
export const closeModels = async ({ embedding = 'off', beside }: SearchOptions = {}): Promise<void> => {
  if (embedding !== 'off') await embedding.close?.()
  await beside?.close?.()
}

interface Following {
  readonly search: ToolSearch
  /** When everything that the feed said so far can be found; undefined where it can. */
  caughtUp(): Promise<void> | undefined
}

const start = async (feed: ToolFeed, options: SearchOptions): Promise<Following> => {
  const { createSearch } = await import('./search.js')
  const embedding =
    options.embedding ?? (await import('./model/built-in.js')).builtInEmbeddings(options.logger) ?? 'off'
  await nextTurn()
  const search = createSearch({ ...options, embedding })
  return { search, caughtUp: follow(search, feed) }
}

// Few enough that a server whose tools are as long as they may be holds nobody up, whoever is not searching least of all.
const stepSize = 16
const sliceMs = 10

/** Brings in what there is and what changes, in order, a slice at a time, others having their turn in between. */
const follow = (search: ToolSearch, feed: ToolFeed): Following['caughtUp'] => {
  const steps: ToolChanges[] = []
  let working: Promise<void> | undefined
  const takeSlice = (): void => {
    const until = performance.now() + sliceMs
    do {
      const step = steps.shift()
      if (!step) return
      search.apply(step)
    } while (performance.now() < until)
  }
  const takeRest = async (): Promise<void> => {
    while (steps.length > 0) {
      await nextTurn()
      takeSlice()
    }
    working = undefined
  }
  const add = (change: ToolChanges): void => {
    for (const step of inSteps(change)) steps.push(step)
    if (working) return
    takeSlice()
    if (steps.length > 0) working = takeRest()
  }
  feed.onChange(add)
  add({ added: feed.snapshot().tools, changed: [], removed: [] })
  return () => working
}

function* inSteps({ removed, changed, added }: ToolChanges): Generator<ToolChanges> {
  if (removed.length > 0) yield { removed, changed: [], added: [] }
  for (let at = 0; at < changed.length; at += stepSize)
    yield { removed: [], changed: changed.slice(at, at + stepSize), added: [] }
  for (let at = 0; at < added.length; at += stepSize)
    yield { removed: [], changed: [], added: added.slice(at, at + stepSize) }
}

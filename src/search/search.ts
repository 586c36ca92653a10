import { GatewayError } from '../errors.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { Tool } from '../model/tool.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import type { AlgorithmHit, SearchAlgorithm } from './algorithm.js'
import { createReferenceBm25 } from './compat/reference.js'
import { createReferenceRegex } from './compat/reference-regex.js'
import type { EmbeddingProvider } from './embedding/provider.js'
import { createLexicalIndex } from './index/lexical-index.js'
import { sharedLexicon } from './lexicon/lexicon.js'
import { joinNotices, notices } from './notices.js'
import { rankSlots } from './rank/lexical.js'
import { scoreLexically } from './rank/lexical-search.js'
import { longestQuery } from './rank/query.js'
import { describeFields, matchedFields } from './rank/reason.js'
import { createViews, type View } from './rank/view.js'
import { searchByPattern } from './regex/regex-search.js'
import {
  builtInMethods,
  type SearchMethod,
  type SearchOutcome,
  type SearchQueryOptions,
  type SearchResult,
  type ToolSearch,
} from './tool-search.js'

export interface SearchOptions {
  /** Used where a search names no method. Default `auto`. */
  readonly method?: SearchMethod
  /** Where vectors come from. Without one, `embedding` is refused and `auto` matches words. */
  readonly embedding?: EmbeddingProvider
  /** More algorithms by name (002-08). */
  readonly algorithms?: Readonly<Record<string, SearchAlgorithm>>
  /** `bm25` and `regex` score as RegistryTools does. Worse; for comparison and migration. Default false. */
  readonly compat?: boolean
  readonly clock?: Clock
  readonly logger?: Logger
}

/** A search over no tools yet; `apply` brings them. */
export const createSearch = (options: SearchOptions = {}): ToolSearch => {
  const { clock = systemClock, logger = silentLogger } = options
  void logger
  const lexicon = sharedLexicon()
  const index = createLexicalIndex(lexicon)
  const viewOf = createViews(index)
  const algorithms = new Map<string, { readonly algorithm: SearchAlgorithm; version: number }>()
  const use = (method: string, algorithm: SearchAlgorithm): void => {
    algorithms.set(method, { algorithm, version: -1 })
  }
  if (options.compat) {
    use('bm25', createReferenceBm25())
    use('regex', createReferenceRegex(clock))
  }
  for (const [method, algorithm] of Object.entries(options.algorithms ?? {})) use(method, algorithm)

  const methods = (): readonly string[] => [...new Set([...builtInMethods, ...algorithms.keys()])]

  const visibleTools = (view: View | undefined): readonly Tool[] => {
    const tools: Tool[] = []
    for (let slot = 0; slot < index.slots; slot++) {
      const tool = index.tool(slot)
      if (tool && (!view || view.visible[slot] === 1)) tools.push(tool)
    }
    return tools
  }

  const searchWords = (query: string, request: Request, method: 'bm25' | 'auto'): SearchOutcome => {
    const reach = method === 'auto' ? 'related' : 'words'
    const scores = scoreLexically(index, lexicon, { text: query, reach, view: request.view })
    const results = rankSlots(index, scores, request.limit, request.usage).map(({ slot, score }) => ({
      tool: index.tool(slot)!,
      score,
      matchReason: describeFields(matchedFields(index, scores.concepts, slot)),
    }))
    const heard = scores.concepts.length > 0
    return finish(results, method, request, query.length > longestQuery ? notices.cut : undefined, heard)
  }

  const searchPattern = (query: string, request: Request): SearchOutcome => {
    const { hits, literal, complete } = searchByPattern(query, visibleTools(request.view), clock)
    const order = (a: { tool: Tool; score: number }, b: { tool: Tool; score: number }): number =>
      b.score - a.score ||
      (request.usage?.(b.tool.id) ?? 0) - (request.usage?.(a.tool.id) ?? 0) ||
      (a.tool.id < b.tool.id ? -1 : 1)
    const results = [...hits]
      .sort(order)
      .slice(0, request.limit)
      .map(({ tool, score, fields }) => ({ tool, score, matchReason: fields.join(', ') }))
    const notice = [literal ? notices.literal : '', complete ? '' : notices.slowPattern].join(' ').trim()
    return finish(results, 'regex', request, notice || undefined, true)
  }

  const askAlgorithm = (method: string, query: string, request: Request) => {
    const entry = algorithms.get(method)!
    if (entry.version !== index.version) {
      entry.algorithm.index(visibleTools(undefined))
      entry.version = index.version
    }
    return entry.algorithm.search(query, visibleTools(request.view), request.limit)
  }

  const fromAlgorithm = (hits: readonly AlgorithmHit[], method: string, request: Request): SearchOutcome => {
    const results = hits
      .filter(({ tool }) => {
        const slot = index.slot(tool.id)
        return slot !== undefined && index.tool(slot) === tool && (!request.view || request.view.visible[slot] === 1)
      })
      .slice(0, request.limit)
      .map(({ tool, score, matchReason }) => ({ tool, score: clamp(score), matchReason: matchReason ?? method }))
    return finish(results, method, request, undefined, true)
  }

  const requestOf = (given: SearchQueryOptions): Request => ({
    limit: checkLimit(given.limit ?? 5, index.size),
    view: viewOf(given.accept),
    usage: given.usage,
    accept: given.accept,
  })

  const answerNow = (query: string, method: SearchMethod, request: Request): SearchOutcome => {
    if (method === 'regex') return searchPattern(query, request)
    if (method !== 'embedding') return searchWords(query, request, method === 'bm25' ? 'bm25' : 'auto')
    throw new GatewayError('ARGUMENTS_INVALID', withoutSearcher)
  }

  return {
    apply: ({ added, changed, removed }) => {
      for (const { id } of removed) index.remove(id)
      for (const tool of changed) index.put(tool)
      for (const tool of added) index.put(tool)
    },
    search: async (query, given = {}) => {
      const method = checkMethod(given.method ?? options.method ?? 'auto', methods())
      const request = requestOf(given)
      if (request.limit === 0 || index.size === 0) return nothing(method)
      if (algorithms.has(method)) return fromAlgorithm(await askAlgorithm(method, query, request), method, request)
      if (query.trim() === '') return { ...nothing(method), notice: notices.empty }
      return answerNow(query, method, request)
    },
    searchSync: (query, given = {}) => {
      const method = checkMethod(given.method ?? options.method ?? 'auto', methods())
      const request = requestOf(given)
      if (request.limit === 0 || index.size === 0) return nothing(method)
      if (algorithms.has(method)) {
        const hits = askAlgorithm(method, query, request)
        if (hits instanceof Promise) throw new GatewayError('ARGUMENTS_INVALID', mustWait(method))
        return fromAlgorithm(hits, method, request)
      }
      if (query.trim() === '') return { ...nothing(method), notice: notices.empty }
      return answerNow(query, method, request)
    },
    use,
    ready: async () => {},
    get methods() {
      return methods()
    },
    get size() {
      return index.size
    },
  }
}

interface Request {
  readonly limit: number
  readonly view: View | undefined
  readonly usage: SearchQueryOptions['usage']
  readonly accept: SearchQueryOptions['accept']
}

const nothing = (method: SearchMethod): SearchOutcome => ({ results: [], method })

const weakScore = 0.08

const finish = (
  found: readonly SearchResult[],
  method: SearchMethod,
  { accept }: Request,
  notice: string | undefined,
  heard: boolean,
): SearchOutcome => {
  // Asked once more: a remembered verdict must never show what the rules hide now.
  const results = accept ? found.filter(({ tool }) => accept(tool)) : found
  const best = results[0]?.score
  const said =
    best === undefined ? (heard ? notices.nothing : notices.noWords) : best < weakScore ? notices.weak : undefined
  return { results, method, ...joinNotices(notice, said) }
}

const checkMethod = (method: unknown, known: readonly string[]): SearchMethod => {
  if (typeof method === 'string' && known.includes(method)) return method
  const shown = typeof method === 'string' ? `'${method.slice(0, 40)}'` : `of type ${typeof method}`
  throw new GatewayError('ARGUMENTS_INVALID', `Unknown search method ${shown}; choose one of ${known.join(', ')}.`, {
    details: { methods: known },
  })
}

const checkLimit = (limit: unknown, size: number): number => {
  if (typeof limit === 'number' && limit >= 0 && !Number.isNaN(limit)) return Math.min(Math.floor(limit), size)
  throw new GatewayError('ARGUMENTS_INVALID', 'The limit of a search must be a number that is not negative.')
}

const clamp = (score: number): number => (score >= 0 ? Math.min(1, score) : 0)

const withoutSearcher =
  "The search method 'embedding' has no embedding provider; configure one, or use 'auto' or 'bm25'."

const mustWait = (method: string): string =>
  `The search method '${method}' answers later and cannot be used synchronously; call search instead.`

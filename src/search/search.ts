import { GatewayError, isGatewayError, messageOf } from '../errors.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { Tool } from '../model/tool.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import type { SearchAlgorithm } from './algorithm.js'
import { createReferenceBm25 } from './compat/reference.js'
import { createReferenceRegex } from './compat/reference-regex.js'
import { defaultFusion, type Fusion } from './embedding/fusion.js'
import type { EmbeddingProvider } from './embedding/provider.js'
import { createQueryVectors } from './embedding/query-vectors.js'
import type { SecondVoice } from './embedding/second-voice.js'
import { createToolVectors, mostBeforeAnswer } from './embedding/tool-vectors.js'
import { createMemoryVectorCache, type VectorCache } from './embedding/vector-cache.js'
import { createLexicalIndex } from './index/lexical-index.js'
import { sharedLexicon } from './lexicon/lexicon.js'
import { createAlgorithms } from './methods/algorithms.js'
import { answerByMeaning } from './methods/meaning.js'
import { answerByPattern } from './methods/pattern.js'
import { answerByWords } from './methods/words.js'
import { notices } from './notices.js'
import { createLexicalScorer } from './rank/lexical-search.js'
import { createViews } from './rank/view.js'
import { type Request, readRequest, withAreas } from './request.js'
import {
  builtInMethods,
  type SearchMethod,
  type SearchOutcome,
  type SearchQueryOptions,
  type ToolSearch,
} from './tool-search.js'

export interface SearchOptions {
  /** Used where a search names no method. Default `auto`. */
  readonly method?: SearchMethod | undefined
  /** Where vectors come from. Without one, `embedding` is refused and `auto` matches words. A gateway's is the model in the
   * package unless this says `off`. */
  readonly embedding?: EmbeddingProvider | 'off' | undefined
  /**
   * A second model that has a say in the order of what words and the first model found. Nobody waits for it: until it has
   * read all tools, and while it fails, answers are as they are without it. `searchSync` never asks it.
   */
  readonly beside?: EmbeddingProvider | undefined
  /** Where tools' vectors are kept. Default: in memory. */
  readonly vectorCache?: VectorCache | undefined
  /** How words and vectors make one score in `auto`. */
  readonly fusion?: Fusion | undefined
  /** Time to wait for vectors before a search goes on without them. Default 3,000. */
  readonly embeddingWaitMs?: number | undefined
  /** More algorithms by name (002-08). */
  readonly algorithms?: Readonly<Record<string, SearchAlgorithm>> | undefined
  /** `bm25` and `regex` score as RegistryTools does. Worse; for comparison and migration. Default false. */
  readonly compat?: boolean | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

/** A search over no tools yet; `apply` brings them. */
export const createSearch = (options: SearchOptions = {}): ToolSearch => {
  const { clock = systemClock, logger = silentLogger } = options
  const index = createLexicalIndex(sharedLexicon())
  const score = createLexicalScorer(index, sharedLexicon())
  const viewOf = createViews(index)
  const algorithms = createAlgorithms(index)
  if (options.compat) {
    algorithms.use('bm25', createReferenceBm25())
    algorithms.use('regex', createReferenceRegex(clock))
  }
  for (const [method, algorithm] of Object.entries(options.algorithms ?? {})) algorithms.use(method, algorithm)
  const provider = options.embedding === 'off' ? undefined : options.embedding
  const meaning = provider && createMeaning(provider, options, clock, logger)
  const beside = options.beside && createMeaning(options.beside, options, clock, logger)
  const fusion = options.fusion ?? provider?.fusion ?? defaultFusion
  // Whoever brings a fusion of their own decides alone.
  const ranking = options.fusion ? undefined : provider?.ranking
  const methods = (): readonly string[] => [...new Set([...builtInMethods, ...algorithms.names])]

  const requestOf = (query: string, given: SearchQueryOptions): Request =>
    readRequest(query, given, { method: options.method ?? 'auto', methods: methods() }, index, viewOf)

  const withVector = (request: Request, vector: Float32Array, second?: SecondVoice): SearchOutcome =>
    answerByMeaning(request, { index, score, fusion, ranking, ...meaning! }, vector, second)

  /** What the second model says, once it has read every tool. */
  const secondVoice = async (query: string, signal: SearchQueryOptions['signal']): Promise<SecondVoice | undefined> => {
    beside?.vectors.fill().catch(() => {})
    if (!beside || beside.vectors.missing > 0) return undefined
    const vector = await beside.vectorOf(query, signal).catch(orWithout)
    return vector && beside.vectors.missing === 0 ? { ...beside, vector } : undefined
  }

  const orWithout = (error: unknown): undefined => {
    if (isGatewayError(error) && error.code === 'CALL_CANCELLED') throw error
    logger.log('warn', `search: the query could not be embedded: ${messageOf(error)}`)
  }

  /** Without vectors, the words. `embedding` says so: it is not what was asked for. */
  const withoutVector = (request: Request, notice?: string): SearchOutcome =>
    answerByWords(request, index, score, { method: request.method === 'bm25' ? 'bm25' : 'auto', notice })

  /** Whether our own model has so many tools to read that words answer meanwhile; it goes on in slices between other work. */
  const isPreparing = ({ method }: Request): boolean => {
    if (!provider?.embedSync || method === 'embedding') return false
    meaning!.vectors.fill().catch(() => {})
    return true
  }

  /** The answer that needs no vector, or undefined. */
  const answerAtOnce = (request: Request): SearchOutcome | Promise<SearchOutcome> | undefined => {
    const hasSearcher = request.method !== 'embedding' || meaning || algorithms.has('embedding')
    if (!hasSearcher) throw new GatewayError('ARGUMENTS_INVALID', withoutSearcher)
    if (request.limit === 0) return { results: [], method: request.method }
    if (algorithms.has(request.method)) return algorithms.answer(request)
    if (request.query.trim() === '') return withAreas(request, request.method, notices.empty)
    if (request.method === 'regex') return answerByPattern(request, request.seen(), clock)
    return request.method === 'bm25' || !meaning ? withoutVector(request) : undefined
  }

  const put = (tool: Tool): void => {
    try {
      const slot = index.put(tool)
      meaning?.vectors.put(slot, tool)
      beside?.vectors.put(slot, tool)
    } catch (error) {
      // One tool that cannot be read must not keep the others from being found.
      logger.log('warn', 'search: a tool could not be read', { tool: tool.id, error: messageOf(error) })
    }
  }

  return {
    apply: ({ added, changed, removed }) => {
      for (const { id } of removed) {
        const slot = index.remove(id)
        if (slot === undefined) continue
        meaning?.vectors.remove(slot)
        beside?.vectors.remove(slot)
      }
      for (const tool of [...changed, ...added]) put(tool)
      meaning?.vectors.fill().catch(() => {})
      beside?.vectors.fill().catch(() => {})
    },
    search: async (query, given = {}) => {
      const read = requestOf(query, given)
      const answer = answerAtOnce(read)
      if (answer) return answer
      const second = beside && (await secondVoice(read.asked, given.signal))
      const asked = second ? requestOf(query, given) : read
      // A model in our own process is asked at once: waiting for it would only let other work in between.
      const now = meaning!.vectors.missing <= mostBeforeAnswer ? meaning!.vectorNow(asked.asked) : undefined
      if (now) return withVector(asked, now, second)
      if (isPreparing(asked)) return withoutVector(asked, notices.preparing)
      const vector = await meaning!.vectorOf(asked.asked, given.signal).catch(orWithout)
      // The catalog may have changed meanwhile, and with it what there is and what may be seen.
      const request = requestOf(query, given)
      const ready = vector && meaning!.vectors.table
      return ready ? withVector(request, vector, second) : withoutVector(request, notices.noVectors)
    },
    searchSync: (query, given = {}) => {
      const request = requestOf(query, given)
      const answer = answerAtOnce(request)
      if (answer instanceof Promise) throw new GatewayError('ARGUMENTS_INVALID', mustWait(request.method))
      if (answer) return answer
      const vector = meaning!.vectorNow(request.asked)
      if (vector) return withVector(request, vector)
      if (isPreparing(request)) return withoutVector(request, notices.preparing)
      if (request.method === 'embedding') throw new GatewayError('ARGUMENTS_INVALID', mustWait('embedding'))
      return withoutVector(request)
    },
    use: algorithms.use,
    ready: async () => {
      await Promise.all([meaning?.vectors.fill(), beside?.vectors.fill()])
    },
    get methods() {
      return methods()
    },
    get size() {
      return index.size
    },
  }
}

const createMeaning = (provider: EmbeddingProvider, options: SearchOptions, clock: Clock, logger: Logger) => {
  const cache = options.vectorCache ?? createMemoryVectorCache()
  const vectors = createToolVectors({ provider, cache, clock, logger })
  const waitMs = options.embeddingWaitMs ?? 3_000
  return { provider, vectors, ...createQueryVectors({ provider, vectors, clock, waitMs }) }
}

const withoutSearcher =
  "The search method 'embedding' has no embedding provider; configure one, or use 'auto' or 'bm25'."

const mustWait = (method: string): string =>
  `The search method '${method}' answers later and cannot be used synchronously; call search instead.`

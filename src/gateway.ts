import { type Catalog, createCatalog } from './catalog/catalog.js'
import { findFor } from './catalog/find-for.js'
import { keepInStore } from './catalog/persistence.js'
import { type ProviderFormat, type ProviderTools, toProviderTools } from './catalog/provider-tools.js'
import { toToolId } from './catalog/tool-id.js'
import { messageOf } from './errors.js'
import { createInvocation } from './invocation/invocation.js'
import type { CallSettings } from './invocation/order.js'
import type { SourceWrapper } from './invocation/steps/dispatch.js'
import { valueOrThrow } from './model/answer.js'
import type { Call, ValidationMode } from './model/call.js'
import { type Caller, localCaller } from './model/caller.js'
import { type Clock, systemClock } from './model/clock.js'
import type { Outcome } from './model/outcome.js'
import type { Tool } from './model/tool.js'
import { createPolicy, type Policy, type PolicyRules } from './policy/policy.js'
import { createSchemas, type SchemaOptions } from './schema/schemas.js'
import { createLiveSearch, type LiveSearchOptions } from './search/live-search.js'
import { builtInMethods, type SearchOutcome, type SearchQueryOptions } from './search/tool-search.js'
import { isDown } from './sources/down.js'
import type { FunctionTool } from './sources/functions/define-tool.js'
import { createFunctionsSource, type OnConflict } from './sources/functions/functions.js'
import type { Source } from './sources/source.js'
import type { SourceInfo } from './sources/source-info.js'
import { isSupervised, leftAlone, readyStatus, type Supervised, toStartError } from './sources/status.js'
import { createSurfaceRack, type Surfaces } from './sources/surfaces.js'
import type { Store } from './storage/store.js'
import { type CallListener, type CallLoad, type CallStats, createCallStats } from './telemetry/calls.js'
import { type Logger, silentLogger } from './telemetry/logger.js'
import { createWatchers } from './telemetry/watchers.js'

export interface GatewayOptions extends CallSettings {
  /** Functions to start with; more by `register`. */
  readonly tools?: readonly FunctionTool[] | undefined
  /** Which tools may be seen and called. Default: all. */
  readonly rules?: PolicyRules | undefined
  /** What happens to arguments that do not match the schema. Default `strict`. */
  readonly validation?: ValidationMode | undefined
  readonly schemas?: SchemaOptions | undefined
  readonly search?: Omit<LiveSearchOptions, 'clock' | 'logger'> | undefined
  /** Stands around every asynchronous call: for tracing, which must give the source its own context. */
  readonly around?: CallWrapper | undefined
  /** Stands around every question put to a source, which is then told what it says. */
  readonly outward?: SourceWrapper | undefined
  /** Between namespace and name; one character. Default `.`. */
  readonly separator?: string | undefined
  /** False holds a reported tool back until `catalog.reconsider`. Default: all pass. */
  readonly review?: ((tool: Tool) => boolean) | undefined
  /** Why a tool is held back and what its operator can do, for callers who could see it. */
  readonly tellHeld?: ((tool: Tool) => string) | undefined
  /** Where tools and their use survive a restart. Default: nowhere. */
  readonly store?: Store | undefined
  /** Whether a tool that left the catalog leaves the store too. Default: no, its source may come back. */
  readonly forget?: ((tool: Tool) => boolean) | undefined
  /** False for tools whose definitions somebody else writes into the store. Default: all are written here. */
  readonly keeps?: ((tool: Tool) => boolean) | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

export type CallWrapper = (call: Call, next: (call: Call) => Promise<Outcome>) => Promise<Outcome>

export interface SourceOptions {
  /** Before the names of its tools. Default: the source's name. */
  readonly namespace?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Time for one call of its tools, before the gateway's default. */
  readonly timeoutMs?: number | undefined
}

export type { SourceInfo }

/** One board of tools: what exists, who may use it, and how a call happens. */
export interface Gateway extends AsyncDisposable {
  readonly catalog: Catalog
  readonly policy: Policy
  /** What the sources offer besides tools: prompts, resources and whatever else their protocol knows. */
  readonly surfaces: Surfaces
  /** Adds a function of this process under its bare name. */
  register(tool: FunctionTool, options?: { readonly onConflict?: OnConflict | undefined }): void
  unregister(name: string): boolean
  /** Mounts a source; resolves when it has reported its tools. A source that fails to start is not mounted. */
  addSource(name: string, source: Source, options?: SourceOptions): Promise<void>
  /** Unmounts and disposes it. False if there is none of this name. */
  removeSource(name: string): Promise<boolean>
  sources(): readonly SourceInfo[]
  /** The handle of a source that can be started, stopped and checked; undefined for others. */
  supervised(name: string): Supervised | undefined
  /** Told when a source changes its state. */
  onSource(listener: (source: SourceInfo) => void): () => void
  /** The tools this caller can see, sorted by id. */
  list(caller?: Caller): readonly Tool[]
  /** The same list in a model provider's words, and what those words could not carry. */
  toolsFor(format: ProviderFormat, caller?: Caller): ProviderTools
  /** The tool of this id or advertised name, if this caller can see it. */
  find(name: string, caller?: Caller): Tool | undefined
  /** The tools of this caller that fit the words. The index is made at the first search and follows the catalog. */
  search(query: string, options?: Omit<SearchQueryOptions, 'accept'>, caller?: Caller): Promise<SearchOutcome>
  /** The methods that `search` takes by name: the built-in ones and those that were plugged in. */
  readonly searchMethods: readonly string[]
  /** Carries a call through all rules. Never throws. */
  call(call: Call): Promise<Outcome>
  /** The same on the caller's stack, for tools that are synchronous themselves. */
  callSync(call: Call): Outcome
  /** The short way: the tool's value, or a thrown GatewayError. */
  run(tool: string, args?: unknown, options?: Partial<Omit<Call, 'tool' | 'args'>>): Promise<unknown>
  stats(): CallStats
  /** What runs and waits now, by source. */
  load(): CallLoad
  /** From now on calls are carried so: time, retries, breaker and limits, whole. Those on their way keep their time. */
  tune(settings: CallSettings): void
  /** From now on records tell where the time went; the returned function ends it. Costs a little per call. */
  watchSteps(): () => void
  /** Told of every call once, refusals included. */
  onCall(listener: CallListener): () => void
  /** Resolves when earlier counts and definitions are loaded from the store; rejects if they cannot be read. */
  readonly ready: Promise<void>
  /** Resolves when all that was added or counted so far is in the store; rejects when it cannot be written. */
  saved(): Promise<void>
  /** Ends sources and writes what is waiting. Idempotent. */
  close(): Promise<void>
}

/** The name of the source that holds functions registered directly; its namespace is empty. */
export const localSource = 'local'

interface Mounted {
  readonly name: string
  readonly namespace: string
  readonly source: Source
  readonly stop: AbortController
  readonly watching: Promise<void>
}

export const createGateway = (options: GatewayOptions = {}): Gateway => {
  const { clock = systemClock, logger = silentLogger } = options
  const catalog = createCatalog({ separator: options.separator, review: options.review })
  const policy = createPolicy(options.rules)
  const mounted = new Map<string, Mounted>()
  const surfaces = createSurfaceRack()
  const stats = createCallStats()
  const listeners = new Set<CallListener>([stats.listener])
  const watchers = createWatchers()
  const noteDown = ({ name, kind, status }: SourceInfo): void => policy.noteDown(name, isDown(kind, status))
  const sourceListeners = new Set<(source: SourceInfo) => void>([noteDown])

  const supervised = (name: string): Supervised | undefined => {
    const source = mounted.get(name)?.source
    return source && isSupervised(source) ? source : undefined
  }
  const invocation = createInvocation(
    {
      catalog,
      tellHeld: options.tellHeld,
      policy,
      schemas: createSchemas(options.schemas),
      findSource: (name) => mounted.get(name)?.source,
      outward: options.outward,
      failsTogether: (name) => name !== localSource,
      look: (name) => supervised(name)?.check(),
      onCircuit: (name) => tellSource(name),
      clock,
      logger,
      listener: (record, asked, outcome) => {
        if (record.attempts > 0) catalog.usage.count(record.tool, record.at)
        for (const listener of listeners) listener(record, asked, outcome)
      },
      isWatched: watchers.isWatched,
      validation: options.validation ?? 'strict',
    },
    options,
  )

  const { around } = options
  const carry = invocation.call
  const call = around ? (asked: Call): Promise<Outcome> => around(asked, carry) : carry

  const addSource = async (name: string, source: Source, { namespace = name, ...more }: SourceOptions = {}) => {
    catalog.mount({ source: name, namespace, ...more })
    const stop = new AbortController()
    await new Promise<void>((reported, failed) => {
      const watching = source.watch((update) => {
        const problems = catalog.apply(name, update)
        for (const { tool, error } of problems)
          logger.log('warn', error.message, { source: name, tool, code: error.code })
        reported()
        return problems
      }, stop.signal)
      mounted.set(name, { name, namespace, source, stop, watching })
      const idOf = (each: string) => toToolId(namespace, each, options.separator)
      if (source.surface) surfaces.mount({ source: name, namespace, surface: source.surface, idOf })
      if (isSupervised(source))
        source.onStatus(({ state }) => {
          if (state === 'ready') invocation.cameBack(name)
          tellSource(name)
        })
      watching.then(reported, (error) => {
        logger.log('error', `Source '${name}' stopped: ${messageOf(error)}`, { source: name })
        failed(toStartError(name, error))
      })
    }).catch(async (error) => {
      await removeSource(name)
      throw error
    })
  }

  const infoOf = ({ name, namespace, source }: Mounted, open = invocation.circuits()): SourceInfo => {
    const circuits = open.filter((circuit) => circuit.source === name)
    const own = isSupervised(source) ? source.status : readyStatus
    const whole = circuits.find(({ tool }) => tool === undefined)
    const status = whole && own.state === 'ready' ? leftAlone(own, whole) : own
    return { name, kind: source.kind, namespace, status, tools: catalog.countOf(name), circuits }
  }
  const tellSource = (name: string): void => {
    const found = mounted.get(name)
    if (found) for (const listener of sourceListeners) listener(infoOf(found))
  }

  const removeSource = async (name: string): Promise<boolean> => {
    const found = mounted.get(name)
    if (!found) return false
    mounted.delete(name)
    invocation.forget(name)
    policy.noteDown(name, false)
    catalog.unmount(name)
    surfaces.unmount(name)
    found.stop.abort()
    await found.watching.catch(() => {})
    await found.source[Symbol.asyncDispose]()
    return true
  }

  const local = createFunctionsSource({ callTool: async (nested) => valueOrThrow(await call(nested)) })
  // Functions report before `watch` first waits, so they are listed when this line is done.
  void addSource(localSource, local, { namespace: '' })
  for (const tool of options.tools ?? []) local.register(tool)

  const { store, forget, keeps } = options
  const keeping = store ? keepInStore({ catalog, store, clock, logger, forget, keeps }) : Promise.resolve(undefined)
  const ready = keeping.then(() => {})
  // Whoever awaits `ready` hears of it; whoever does not still finds it in the log.
  ready.catch((error) => logger.log('error', `The store could not be read: ${messageOf(error)}`))

  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await keeping.then(
        (kept) => kept?.close(),
        () => {},
      )
      await Promise.all([...mounted.keys()].map(removeSource))
      invocation.close()
    })())

  const find = createLiveSearch(catalog, policy, { ...options.search, clock, logger })
  const usage = (id: string) => catalog.usage.of(id).count

  const sees = (caller: Caller, tool: Tool) => policy.decide(caller, tool, 'see').allowed
  const list = (caller: Caller = localCaller) =>
    catalog.snapshot().tools.filter((tool) => !tool.own && sees(caller, tool))
  return {
    catalog,
    policy,
    surfaces,
    register: local.register,
    unregister: local.unregister,
    addSource,
    removeSource,
    sources: () => {
      const open = invocation.circuits()
      return [...mounted.values()].map((each) => infoOf(each, open))
    },
    supervised,
    onSource: (listener) => {
      sourceListeners.add(listener)
      return () => void sourceListeners.delete(listener)
    },
    list,
    toolsFor: (format, caller = localCaller) => toProviderTools(list(caller), format),
    find: (name, caller = localCaller) => findFor(catalog, (tool) => sees(caller, tool), name, caller.profile),
    search: (query, more = {}, caller = localCaller) => find(query, { usage, ...more }, caller),
    searchMethods: [...new Set([...builtInMethods, ...Object.keys(options.search?.algorithms ?? {})])],
    call,
    callSync: invocation.callSync,
    run: async (tool, args, more = {}) => valueOrThrow(await call({ caller: localCaller, ...more, tool, args })),
    stats: stats.read,
    load: invocation.load,
    tune: invocation.tune,
    watchSteps: watchers.watch,
    onCall: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ready,
    saved: async () => (await keeping)?.flush(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

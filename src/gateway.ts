import { type Catalog, createCatalog } from './catalog/catalog.js'
import { findFor } from './catalog/find-for.js'
import { MountedSources, type SourceOptions } from './catalog/mounted-sources.js'
import { exactNaming, type Naming } from './catalog/names.js'
import { createOffers, type Located, type Offers } from './catalog/offers/offers.js'
import { createSurfaceRack, type Surfaces } from './catalog/offers/surfaces.js'
import type { Overrides, ShownTools } from './catalog/overriding.js'
import { type ProviderFormat, type ProviderTools, toProviderTools } from './catalog/provider-tools.js'
import { refuseMisfits, Shown } from './catalog/shown.js'
import { messageOf } from './errors.js'
import type { GatewayOptions } from './gateway-options.js'
import { createInvocation } from './invocation/invocation.js'
import type { CallSettings } from './invocation/order.js'
import type { OpenableOverrides, Overriding } from './invocation/overriding.js'
import type { OpenablePlugging, Plugging } from './invocation/plugging.js'
import { createFinder } from './invocation/steps/resolve.js'
import type { WaitingRoom } from './invocation/waiting/waiting-room.js'
import { valueOrThrow } from './model/answer.js'
import type { Call, Found, Wanted } from './model/call.js'
import { type Caller, localCaller } from './model/caller.js'
import { systemClock } from './model/clock.js'
import type { Outcome } from './model/outcome.js'
import { Shares } from './model/shares.js'
import type { Tool } from './model/tool.js'
import { defaultSeparator } from './model/tool-id.js'
import { type CallAnswers, lateApprovals } from './policy/late-approvals.js'
import { createPolicy, type Policy } from './policy/policy.js'
import { createSchemas } from './schema/schemas.js'
import { closeModels, createLiveSearch } from './search/live-search.js'
import { builtInMethods, type SearchOutcome, type SearchQueryOptions } from './search/tool-search.js'
import { isDown } from './sources/down.js'
import type { FunctionTool } from './sources/functions/define-tool.js'
import { createFunctionsSource, type OnConflict } from './sources/functions/functions.js'
import type { Source } from './sources/source.js'
import type { SourceInfo } from './sources/source-info.js'
import type { Supervised } from './sources/status.js'
import { type CallListener, type CallLoad, type CallStats, createCallStats, createWatchers } from './telemetry/calls.js'
import { silentLogger } from './telemetry/logger.js'

// The gateway's own interface in one place: whoever stands above it needs no other door.
export type { Catalog, CatalogChange } from './catalog/catalog.js'
export type { SourceOptions } from './catalog/mounted-sources.js'
export { advertisedName, exactNaming, type Naming, safeNaming } from './catalog/names.js'
export { withAppUri } from './catalog/offers/carried-uri.js'
export { extensionsIn, type Located, type Offered, type Offers } from './catalog/offers/offers.js'
export type { MountedSurface, SurfaceListener, Surfaces } from './catalog/offers/surfaces.js'
export type { MisfitOverride, OverrideRules, Overrides, ShownTools } from './catalog/overriding.js'
export type { ProviderFormat, ProviderTools } from './catalog/provider-tools.js'
export { providerFormats, toProviderTools } from './catalog/provider-tools.js'
export type { CallWrapper, GatewayOptions } from './gateway-options.js'
export type { Flow, Visit, WorkResult } from './invocation/waiting/flow.js'
export { notOurs, openOwn, WaitsElsewhere } from './invocation/waiting/not-ours.js'
export type { ParkedCall, ParkingLimits } from './invocation/waiting/parking.js'
export { type WaitingRoom, waitingRoomOf } from './invocation/waiting/waiting-room.js'
export type { CallAnswers } from './policy/late-approvals.js'
export type { Decision, Policy, PolicyRules } from './policy/policy.js'
export type { SearchArea, SearchOutcome, SearchQueryOptions, SearchResult } from './search/tool-search.js'
export type { SourceInfo } from './sources/source-info.js'
export type { Supervised } from './sources/status.js'
export type { McpSurface, SurfaceKind, SurfaceOffer } from './sources/surface.js'

/** One board of tools: what exists, who may use it, and how a call happens. */
export interface Gateway extends AsyncDisposable {
  readonly catalog: Catalog
  readonly policy: Policy
  /** What the sources offer besides tools: prompts, resources and whatever else their protocol knows. */
  readonly surfaces: Surfaces
  /** Where calls wait for answers of their callers, made by the first who asks: see `waitingRoomOf`. */
  openWaitingRoom(make: typeof WaitingRoom): WaitingRoom
  /** What people are asked about calls, and their answers; for as long as this process, unless `approvals` was given. */
  readonly approvals: CallAnswers
  /** How much each caller holds of what is bounded; faces count in it as well. */
  readonly shares: Shares
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
  /** What the callers of a profile are shown, before the policy: the catalog itself where nothing is overridden. */
  shown(profile?: string): ShownTools
  /** From now on tools are shown so. Throws CONFIG_INVALID, and leaves all as it was, where it does not fit what is here. */
  override(overriding: Overriding | undefined): void
  readonly overrides: Overrides | undefined
  /** From now on these take part in calls and lists; undefined: nobody does. */
  plug(plugging: Plugging | undefined): void
  /** The tools this caller can see, sorted by id. */
  list(caller?: Caller): readonly Tool[]
  /** The same list in a model provider's words, and what those words could not carry. */
  toolsFor(format: ProviderFormat, caller?: Caller): ProviderTools
  /** The tool of this id or advertised name, if this caller can see it. */
  find(name: string, caller?: Caller): Tool | undefined
  /** The same for a call that follows: hand it on as `found`, and nobody looks or decides again. */
  resolve(name: string, caller?: Caller, look?: (name: string) => Tool | undefined): Found
  /** What this caller sees besides tools, with prompts under the names of this naming. Default: canonical ids. */
  offers(caller?: Caller, naming?: Naming): Offers
  /** `resolve` for what is no tool. */
  locate(wanted: Wanted, caller?: Caller, naming?: Naming): Found & { readonly offer: Located | undefined }
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
  /** From now on records tell how long a call waited and was at its source; the returned function ends it. */
  watchTimes(): () => void
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

export const createGateway = (options: GatewayOptions = {}): Gateway => {
  const { clock = systemClock, logger = silentLogger } = options
  const catalog = createCatalog({ separator: options.separator, review: options.review })
  const policy = createPolicy(options.rules, { now: () => clock.now(), effects: options.effects })
  const surfaces = createSurfaceRack()
  const offers = createOffers({
    surfaces,
    sees: (caller, located) => policy.decide(caller, located, 'see').allowed,
    rulesVersion: () => policy.version,
    review: options.reviewOffer,
  })
  const shown = new Shown(catalog)
  let overrides: Overrides | undefined
  let lists: Overrides | undefined
  const shelf = (profile: string | undefined): ShownTools => lists?.shelf(profile) ?? shown.plain
  const finder = createFinder({ catalog, shelf, surfaces, offers, policy })
  const schemas = createSchemas(options.schemas)
  const shares = new Shares()
  const approvals = lateApprovals(options.approvals, clock, logger)
  let waiting: WaitingRoom | undefined
  const stats = createCallStats()
  // A list that is replaced: every call goes through it, and walking a set costs more than all of them do.
  let listeners: readonly CallListener[] = [stats.listener]
  const watchers = createWatchers()
  const timers = createWatchers()
  const invocation = createInvocation(
    {
      catalog,
      finder,
      tellHeld: options.tellHeld,
      policy,
      withheld: (name, profile) => shelf(profile).withheld(name),
      schemas,
      findSource: (name) => sources.find(name),
      outward: options.outward,
      failsTogether: (name) => name !== localSource,
      look: (name) => sources.supervised(name)?.check(),
      onCircuit: (name) => sources.tell(name),
      ...{ shares, clock, logger },
      listener: (record, asked, outcome) => {
        const told = listeners
        // Counted once in a fleet: where the call came in.
        if (record.attempts > 0 && record.kind === 'tool' && !record.handedOver)
          catalog.usage.count(record.tool, record.at)
        for (let index = 0; index < told.length; index++) told[index]!(record, asked, outcome)
      },
      ...{ isWatched: watchers.isWatched, isTimed: timers.isWatched },
      validation: options.validation ?? 'strict',
      ...{ secrets: options.secrets, results: options.results, approvals: options.approvals ?? approvals },
    },
    options,
  )

  const { around } = options
  const carry = invocation.call
  const call = around ? (asked: Call): Promise<Outcome> => around(asked, carry) : carry

  const sources = new MountedSources({
    catalog,
    surfaces,
    separator: options.separator,
    logger,
    circuits: invocation.circuits,
    cameBack: invocation.cameBack,
    gone: (name) => {
      invocation.forget(name)
      policy.noteDown(name, false)
    },
  })
  sources.onSource(({ name, kind, status }) => policy.noteDown(name, isDown(kind, status)))

  const local = createFunctionsSource({ callTool: async (nested) => valueOrThrow(await call(nested)) })
  // Functions report before `watch` first waits, so they are listed when this line is done.
  void sources.add(localSource, local, { namespace: '' })
  for (const tool of options.tools ?? []) local.register(tool)

  const { store, forget, keeps } = options
  const keeping = store
    ? import('./catalog/persistence.js').then(({ keepInStore }) =>
        keepInStore({ catalog, store, clock, logger, forget, keeps }),
      )
    : Promise.resolve(undefined)
  const ready = keeping.then(() => {})
  // Whoever awaits `ready` hears of it; whoever does not still finds it in the log.
  ready.catch((error) => logger.log('error', `The store could not be read: ${messageOf(error)}`))

  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      const kept = await keeping.catch(() => undefined)
      await kept?.close()
      await approvals[Symbol.asyncDispose]()
      // First what waits: a source that is asked to end would wait for it.
      waiting?.close()
      await sources.removeAll().then(() => closeModels(options.search))
      invocation.close()
    })())

  const override = (given: Overriding | undefined): void => {
    const overriding = given as OpenableOverrides | undefined
    const next = overriding?.open({ catalog, schemas, separator: options.separator ?? defaultSeparator })
    refuseMisfits(overrides, next)
    overrides = next
    invocation.override(overriding?.steps(schemas, clock, (name) => sources.find(name)?.isolation))
    show()
  }
  let plugging: OpenablePlugging | undefined
  const plug = (given: Plugging | undefined): void => {
    plugging = given as OpenablePlugging | undefined
    invocation.plug(plugging?.steps({ finder, policy }))
    show()
  }
  /** From now on lists are what overrides and plugins make of them. */
  const show = (): void => {
    lists = plugging ? plugging.lists({ under: overrides, plain: shown.plain }) : overrides
    shown.use(lists)
    policy.renew()
  }
  if (options.overrides) override(options.overrides)
  if (options.plugins) plug(options.plugins)

  const find = createLiveSearch(shown.feed, shown.seeing(policy), { ...options.search, clock, logger })
  const usage = (id: string) => catalog.usage.of(shown.upstreamId(id)).count
  const sees = (caller: Caller, tool: Tool) => policy.decide(caller, tool, 'see').allowed
  const list = (caller: Caller = localCaller) =>
    shelf(caller.profile).tools.filter((tool) => !tool.own && sees(caller, tool))
  return {
    ...{ catalog, policy, surfaces, shares, approvals },
    openWaitingRoom: (Room) => (waiting ??= new Room(clock, options.waiting, shares, options.states)),
    ...{ register: local.register, unregister: local.unregister },
    addSource: (name, source, more) => sources.add(name, source, more),
    removeSource: (name) => sources.remove(name),
    ...{ sources: () => sources.list(), supervised: (name) => sources.supervised(name) },
    onSource: (listener) => sources.onSource(listener),
    toolsFor: (format, caller = localCaller) => toProviderTools(list(caller), format),
    ...{ list, shown: shelf, override, plug },
    get overrides() {
      return overrides
    },
    find: (name, caller = localCaller) =>
      findFor(shelf(caller.profile), (tool) => sees(caller, tool), name, caller.profile),
    resolve: (name, caller = localCaller, look) => finder.tool(name, caller, look),
    offers: (caller = localCaller, naming = exactNaming) => offers(caller, naming),
    locate: (wanted, caller = localCaller, naming = exactNaming) => finder.offer(wanted, caller, naming),
    search: (query, more = {}, caller = localCaller) => {
      const isReadonly = (tool: Tool): boolean => policy.effectOf(tool, caller.profile).readonly
      return shown.found(find(query, { usage, isReadonly, ...more }, caller), caller)
    },
    searchMethods: [...new Set([...builtInMethods, ...Object.keys(options.search?.algorithms ?? {})])],
    ...{ call, callSync: invocation.callSync },
    run: async (tool, args, more = {}) => valueOrThrow(await call({ caller: localCaller, ...more, tool, args })),
    ...{ stats: stats.read, load: invocation.load, tune: invocation.tune },
    ...{ watchSteps: watchers.watch, watchTimes: timers.watch },
    onCall: (listener) => {
      if (!listeners.includes(listener)) listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((each) => each !== listener)
      }
    },
    saved: async () => (await keeping)?.flush(),
    ...{ ready, close, [Symbol.asyncDispose]: close },
  }
}

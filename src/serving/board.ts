import { dirname } from 'node:path'
import type { Approvals } from '../catalog/approvals.js'
import { diffConfig } from '../config/diff.js'
import type { LoadedConfig } from '../config/load.js'
import type { Config, SourceConfig } from '../config/schema.js'
import { createMcpFace, type McpFace } from '../faces/mcp/face.js'
import type { ProfileSettings } from '../faces/mcp/profile.js'
import type { Fleet } from '../fleet/fleet.js'
import { createGateway, type Gateway, waitingRoomOf } from '../gateway.js'
import { searchForSecrets } from '../invocation/steps/secrets.js'
import { systemClock } from '../model/clock.js'
import { createLoopGuard } from '../sources/loop-guard.js'
import { makeSource } from '../sources/make-source.js'
import type { Source } from '../sources/source.js'
import { ancestryVariable } from '../sources/stdio/environment.js'
import { createStdioHost, type StdioHost } from '../sources/stdio/sessions.js'
import { sweepOrphans } from '../sources/stdio/sweep.js'
import type { Storage } from '../storage/storage.js'
import { registeredSource, type Store, type StoreReader } from '../storage/store.js'
import type { WaitingFacts } from '../telemetry/gateway-metrics.js'
import { type Approvers, openApprovers } from './approvals/approvers.js'
import type { ApproverFacts } from './approvals/call-approvals.js'
import { followDecisions, openReviewing, type Reviewing } from './approvals/reviewing.js'
import { tellHeld } from './approvals/tell-held.js'
import { type Connecting, createConnecting } from './connecting.js'
import type { CurrentConfig } from './current.js'
import { hostingIn } from './fleet-hosting.js'
import { followBounds } from './follow-bounds.js'
import { say } from './locale.js'
import type { Lock } from './lock-file.js'
import { createLookAround } from './look-around.js'
import { followOverrides, overridingIn } from './overrides.js'
import { createOwnAddress } from './own-address.js'
import { callRulesOf, callSettingsOf, profileOf, ruleSettings, rulesOf, secretsIn, sharedLimiter } from './profiles.js'
import { createBoardResults } from './results.js'
import type { BoardScripts } from './scripts.js'
import { searchOptions } from './search-options.js'
import { sharedHotSet } from './shared-hot-set.js'
import { type OpenedSignIns, openSignIns, type SignInsSurroundings } from './sign-ins.js'
import { ancestryOf } from './sources/ancestry.js'
import { elsewhereIn } from './sources/elsewhere.js'
import { createExamples } from './sources/example-tools.js'
import { surroundingsOf } from './sources/mount-source.js'
import { mountRegistry } from './sources/registered.js'
import { openSeenSources } from './sources/seen-sources.js'
import { createStarts } from './sources/starts.js'
import { openVerdicts } from './sources/verdicts.js'
import { knownTools, openStored, type Persist } from './stored.js'
import type { Telemetry } from './telemetry.js'
import { implementation } from './version.js'

/** A configured gateway with its sources and its MCP face, before anybody can reach it. */
export interface Board {
  readonly gateway: Gateway
  readonly face: McpFace
  readonly config: Config
  /** The same, and who follows it. */
  readonly current: CurrentConfig
  /** Which definitions somebody has looked at. */
  readonly approvals: Approvals
  readonly lock: Lock
  /** Both together, and what waits for a decision. */
  readonly reviewing: Reviewing
  readonly reconsider: Reviewing['reconsider']
  /** Where everything is kept. */
  readonly storage: Storage
  /** What we are a part of. */
  readonly fleet: Fleet
  /** What is in the data folder, also where another process owns it. */
  readonly stored: StoreReader
  /** Who signs in at remote servers, and how. */
  readonly signIns: OpenedSignIns
  /** What models write over its tools; undefined while that is off. */
  readonly scripts: BoardScripts['now']
  readonly answersOf: BoardScripts['answersOf']
  /** How people are asked to sign in for themselves. */
  readonly connecting: Connecting
  readonly approvers: Approvers
  /** What waits outside the gateway's own bounds. */
  readonly waiting: WaitingFacts
  /** Why sources that are switched on are not mounted, by name. */
  problems(): ReadonlyMap<string, string>
  /** A source with this board's surroundings that is not mounted, to try it out. The caller disposes it. */
  makeSource(name: string, config: SourceConfig): Source
  findProfile(name: string): ProfileSettings | undefined
  /** What lists wait for while sources start of which nothing is known; undefined when nothing is awaited. */
  firstList(): Promise<unknown> | undefined
  /** Mounts the configured sources; for a gateway that listens, with where it does. */
  start(listensAt?: string): void
  /** Resolves when every source that starts at once has reported or failed. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface BoardSurroundings extends SignInsSurroundings, ApproverFacts {
  readonly current: CurrentConfig
  readonly env: Readonly<Record<string, string | undefined>>
  readonly storage: Storage
  readonly persist: Persist
  readonly telemetry: Telemetry
  /** Which of the configured sources are started. Default: all. */
  readonly only?: ((source: string) => boolean) | undefined
}

/** Sources start when `start` is called, at the same time, and nobody waits for them. */
export const createBoard = async (loaded: LoadedConfig, around: BoardSurroundings): Promise<Board> => {
  const { current, logger, env, telemetry } = around
  const clock = systemClock
  const { config } = loaded
  const above = ancestryOf(loaded.file, env[ancestryVariable])
  const stored = await openStored(around.storage, around.persist, logger)
  const { store, reader } = stored
  const known = await knownTools(reader)
  const verdicts = await openVerdicts({ documents: (store ?? reader).documents('verdicts'), clock, logger })
  const stdio = createStdioHost({
    clock,
    logger: logger.child('stdio-adapter'),
    hostEnv: { ...env, [ancestryVariable]: above },
  })
  void sweepOrphans({ logger }).catch(() => {})
  let secretsOf = secretsIn(config)
  current.follow(['profiles'], (now) => {
    secretsOf = secretsIn(now)
  })
  const reviewing = await openReviewing({
    stored,
    loaded,
    configNow: () => current.now,
    isFourEyes: current.reading(['approve.fourEyes'], ({ approve }) => approve.fourEyes),
    logger: logger.child('catalog'),
  })
  const { approvals, lock } = reviewing
  const limiterOf = sharedLimiter(around.storage, around.fleet)
  const isElsewhere = elsewhereIn(around.fleet)
  const approvers = openApprovers({ ...around, clock, note: telemetry.note, metrics: telemetry.metrics })
  const results = createBoardResults(current, clock)
  const gateway = createGateway({
    ...{ clock, results },
    logger: logger.child('tool-aggregator'),
    separator: config.toolManager.namespaceSeparator,
    rules: { ...rulesOf(config), calls: await callRulesOf(config) },
    ...callSettingsOf(config, limiterOf),
    secrets: searchForSecrets(({ profile = 'default' }) => secretsOf(profile)),
    waiting: current.reading(['parking'], ({ parking }) => parking),
    states: {
      seal: around.fleet.seals.of('state'),
      replica: around.fleet.isAlone ? undefined : around.fleet.replica,
      now: () => around.fleet.now(),
    },
    review: reviewing.review,
    effects: reviewing.effects,
    approvals: approvers.approvals,
    reviewOffer: reviewing.reviewOffer,
    tellHeld: (item) => tellHeld(item, reviewing),
    search: { ...(await searchOptions(config, clock, store)), onSearch: telemetry.watch.onSearch },
    around: telemetry.watch.around,
    outward: telemetry.watch.outward,
    overrides: await overridingIn(config),
    // What is registered is on disk before anybody hears of it: see registry.ts.
    store,
    keeps: ({ source }) => source !== registeredSource && !isElsewhere(source),
  })
  gateway.catalog.askElsewhere(createLookAround(around.storage.commons, () => starts.firstList()))
  const leaveReviewing = reviewing.follow(gateway)
  await gateway.ready
  const profiles = current.reading(['profiles', 'toolManager.namespaceEnabled'], (now) => now)
  const findProfile = (name: string) => profileOf(profiles(), name)
  const registry = await mountRegistry({ gateway, store, reader, current, findProfile, logger })
  await results.follow(gateway)
  const examples = createExamples(gateway)
  examples.follow(config)
  let listening = ''
  const loop = createLoopGuard(
    createOwnAddress(
      current.reading(['server.publicUrl'], ({ server }) => ({ ...config.server, publicUrl: server.publicUrl })),
      () => listening,
    ),
  )
  const connecting = createConnecting({ ...around, note: telemetry.note })
  const face = createMcpFace({
    signInDoor: connecting.door,
    approvalDoor: approvers.door,
    gateway,
    reach: loop.reach,
    serverInfo: implementation,
    instructions: config.server.instructions,
    reviewInstructions: reviewing.instructions,
    clock,
    firstList: () => starts.firstList(),
    hot: await sharedHotSet(gateway, store, around),
  })
  const signIns = openSignIns(around.storage, gateway, around)
  const leaveDecisions = followDecisions(reviewing, clock, around.persist)
  const problems = new Map<string, string>()
  const retries = new Map<string, () => Promise<void>>()
  const seen = await openSeenSources({
    documents: (store ?? reader).documents('seen-sources'),
    known,
    isElsewhere,
    reading: reviewing.reading,
    gateway,
    clock,
    logger,
  })
  const { proxy } = config.outbound
  const hosting = await hostingIn(around, current)
  const making = {
    ...{ stdio, seen, verdicts, signIns, loop, proxy, env, logger, hosting, problems, retries },
    reported: reviewing.reported,
    scripts: registry.scripts.stored,
    folder: folderOf(loaded),
  }
  const starts = createStarts({ gateway, around: making, clock, waitMs: config.server.firstListMs })

  current.follow(['sources'], async (now, before) => {
    const { removed, changed } = diffConfig(before, now)
    await starts.unmount([...removed, ...changed])
  })
  current.follow(ruleSettings, async (now) => gateway.policy.update({ ...rulesOf(now), calls: await callRulesOf(now) }))
  followOverrides(current, gateway)
  current.follow(['calls', 'profiles'], (now) => gateway.tune(callSettingsOf(now, limiterOf)))
  followBounds(current, gateway.shares)
  current.followAll(starts.retry)
  current.follow(['sources'], (now, before) => {
    examples.follow(now)
    registry.refresh()
    const { added, changed } = diffConfig(before, now)
    for (const name of [...added, ...changed]) starts.mount(name, now.sources[name]!)
  })
  current.followAll((now, before) => {
    logger.log('info', say('Configuration reloaded', '配置已重新加载'), { ...diffConfig(before, now) })
    // An operator's doing, so lists may take another shape: now, and when what was added is there.
    face.reshape()
    void starts.settled().then(face.reshape)
  })

  return {
    gateway,
    face,
    get config() {
      return current.now
    },
    ...{ current, approvals, lock, reviewing },
    reconsider: reviewing.reconsider,
    storage: around.storage,
    fleet: around.fleet,
    stored: reader,
    ...{ signIns, connecting, approvers },
    scripts: registry.scripts.now,
    answersOf: registry.scripts.answersOf,
    waiting: {
      parked: () => waitingRoomOf(gateway).list().length,
      unread: stdio.unread,
      held: () => [...reviewing.heldTools(), ...reviewing.heldWords()],
    },
    problems: () => problems,
    makeSource: (name, source) => makeSource(name, source, surroundingsOf(name, making, 'apart')),
    findProfile,
    firstList: starts.firstList,
    start: (listensAt = '') => {
      listening = listensAt
      starts.begin(Object.entries(current.now.sources).filter(([name]) => around.only?.(name) ?? true))
      registry.bringRest()
    },
    settled: starts.settled,
    close: async () => {
      await registry.close()
      await starts.close()
      leaveDecisions()
      leaveReviewing()
      await approvers.close()
      await closeAll(face, gateway, stdio, store, approvals)
      await signIns[Symbol.asyncDispose]()
    },
  }
}

const folderOf = ({ file }: LoadedConfig): string => (file === undefined ? process.cwd() : dirname(file))

const closeAll = async (
  face: McpFace,
  gateway: Gateway,
  stdio: StdioHost,
  store: Store | undefined,
  approvals: Approvals,
): Promise<void> => {
  face.close()
  await gateway.close()
  await approvals.close()
  await stdio.close()
  await store?.[Symbol.asyncDispose]()
}

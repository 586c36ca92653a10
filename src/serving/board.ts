import { dirname } from 'node:path'
import type { Approvals } from '../catalog/approvals.js'
import { diffConfig } from '../config/diff.js'
import type { LoadedConfig } from '../config/load.js'
import type { Config, SourceConfig } from '../config/schema.js'
import { createMcpFace, type McpFace } from '../faces/mcp/face.js'
import type { ProfileSettings } from '../faces/mcp/profile.js'
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.js'
import { systemClock } from '../model/clock.js'
import type { LiveSearchOptions } from '../search/live-search.js'
import { createLoopGuard } from '../sources/loop-guard.js'
import { makeSource } from '../sources/make-source.js'
import type { Source } from '../sources/source.js'
import { ancestryVariable } from '../sources/stdio/environment.js'
import { createStdioHost, type StdioHost } from '../sources/stdio/sessions.js'
import { sweepOrphans } from '../sources/stdio/sweep.js'
import { registeredSource, type Store, type StoreReader } from '../storage/store.js'
import type { WaitingFacts } from '../telemetry/gateway-metrics.js'
import type { Logger } from '../telemetry/logger.js'
import { approvedInstructions } from './approvals/approved-instructions.js'
import { followDecisions, openApprovals, tellHeld } from './approvals/open-approvals.js'
import { callSettingsOf } from './call-settings.js'
import { say } from './locale.js'
import { type Lock, lockFileOf, openLock } from './lock-file.js'
import { createOwnAddress } from './own-address.js'
import { profileOf, rulesOf } from './profiles.js'
import { searchOptions } from './search-options.js'
import { type OpenedSignIns, openSignIns } from './sign-ins.js'
import { ancestryOf } from './sources/ancestry.js'
import { createExamples } from './sources/example-tools.js'
import { surroundingsOf } from './sources/mount-source.js'
import { ownSources } from './sources/own-sources.js'
import { mountRegistry } from './sources/registered.js'
import { openSeenSources } from './sources/seen-sources.js'
import { createStarts } from './sources/starts.js'
import { openVerdicts } from './sources/verdicts.js'
import { knownTools, openStored, type Persist } from './stored.js'
import { tellConfig } from './tell-config.js'
import { implementation } from './version.js'

/** A configured gateway with its faces: what `serve`, `stdio`, `call` and `list` have in common. */
export interface Board {
  readonly gateway: Gateway
  readonly face: McpFace
  readonly config: Config
  /** Which definitions somebody has looked at. */
  readonly approvals: Approvals
  readonly lock: Lock
  /** What is in the data folder, also where another process owns it. */
  readonly stored: StoreReader
  /** Who signs in at remote servers, and how. */
  readonly signIns: OpenedSignIns
  /** What waits outside the gateway's own bounds. */
  readonly waiting: WaitingFacts
  /** Why sources that are switched on are not mounted, by name. */
  problems(): ReadonlyMap<string, string>
  /** A source with this board's surroundings that is not mounted, to try it out. The caller disposes it. */
  makeSource(name: string, config: SourceConfig): Source
  findProfile(name: string): ProfileSettings | undefined
  /** What lists wait for while sources start of which nothing is known; undefined when nothing is awaited. */
  firstList(): Promise<unknown> | undefined
  /** Mounts the configured sources, where `openBoard` was told to leave that for later: for one that listens, here. */
  start(listensAt?: string): void
  /** Resolves when every source that starts at once has reported or failed. */
  settled(): Promise<void>
  /** Applies a new configuration as a difference: what did not change is not touched. */
  reload(next: LoadedConfig): Promise<void>
  close(): Promise<void>
}

export interface BoardOptions {
  readonly logger: Logger
  readonly env: Readonly<Record<string, string | undefined>>
  readonly persist: Persist
  /** Leaves the sources to `start`: a gateway that cannot listen must start nothing, and one that can is not held up. */
  readonly startLater?: boolean | undefined
  /** Which of the configured sources are started. Default: all. */
  readonly only?: ((source: string) => boolean) | undefined
  /** Told every token that comes, so that nothing shows it. */
  readonly onSecret?: ((secret: string) => void) | undefined
  /** Who watches calls and searches. */
  readonly watch?: (Pick<GatewayOptions, 'around' | 'outward'> & Pick<LiveSearchOptions, 'onSearch'>) | undefined
}

/** Opens the board. Sources start at the same time and nobody waits for them. */
export const openBoard = async (loaded: LoadedConfig, options: BoardOptions): Promise<Board> => {
  const { logger, env } = options
  const clock = systemClock
  let { config } = loaded
  const above = ancestryOf(loaded.file, env[ancestryVariable])
  tellConfig(loaded, logger)
  const stored = await openStored(config, options.persist, logger)
  const { store, reader } = stored
  const known = await knownTools(reader)
  const verdicts = await openVerdicts({ documents: (store ?? reader).documents('verdicts'), clock, logger })
  const stdio = createStdioHost({
    clock,
    logger: logger.child('stdio-adapter'),
    hostEnv: { ...env, [ancestryVariable]: above },
  })
  void sweepOrphans({ logger }).catch(() => {})
  const lock = await openLock(lockFileOf(loaded), ownSources, logger.child('catalog'))
  const approvals = await openApprovals(stored, loaded, () => config, logger.child('catalog'))
  const gateway = createGateway({
    clock,
    logger: logger.child('tool-aggregator'),
    separator: config.toolManager.namespaceSeparator,
    rules: rulesOf(config),
    ...callSettingsOf(config),
    waiting: () => config.parking,
    // A lock file is under version control, so it speaks before what this machine has seen.
    review: (tool) => (lock.isPresent ? lock.review(tool) : approvals.review(tool)),
    tellHeld: (tool) => tellHeld(tool, { lock, approvals }),
    search: {
      ...(await searchOptions(config, clock, store)),
      onSearch: options.watch?.onSearch,
    },
    around: options.watch?.around,
    outward: options.watch?.outward,
    // What is registered is on disk before anybody hears of it: see registry.ts.
    store,
    keeps: (tool) => tool.source !== registeredSource,
  })
  await gateway.ready
  const findProfile = (name: string) => profileOf(config, name)
  const registry = await mountRegistry({ gateway, store, reader, config: () => config, findProfile, logger })
  const examples = createExamples(gateway)
  examples.follow(config)
  let listening = ''
  const loop = createLoopGuard(
    createOwnAddress(
      () => config.server,
      () => listening,
    ),
  )
  const face = createMcpFace({
    gateway,
    reach: loop.reach,
    serverInfo: implementation,
    instructions: config.server.instructions,
    reviewInstructions: approvedInstructions(approvals),
    clock,
    firstList: () => starts.firstList(),
  })
  const signIns = openSignIns(config, gateway, options)
  const leaveDecisions = options.persist === 'if-free' ? followDecisions(gateway, approvals, clock) : () => {}
  const problems = new Map<string, string>()
  const retries = new Map<string, () => Promise<void>>()
  const seen = await openSeenSources({
    documents: (store ?? reader).documents('seen-sources'),
    known,
    gateway,
    clock,
    logger,
  })
  const around = { stdio, seen, verdicts, signIns, loop, folder: folderOf(loaded), logger, problems, retries }
  const starts = createStarts({ gateway, around, clock, waitMs: config.server.firstListMs })
  const start = (listensAt = ''): void => {
    listening = listensAt
    starts.begin(Object.entries(config.sources).filter(([name]) => options.only?.(name) ?? true))
    registry.bringRest()
  }
  if (!options.startLater) start()

  const reload = async (next: LoadedConfig): Promise<void> => {
    const difference = diffConfig(config, next.config)
    config = next.config
    tellConfig(next, logger)
    for (const name of [...difference.removed, ...difference.changed]) {
      problems.delete(name)
      retries.delete(name)
      signIns.drop(name)
    }
    await Promise.all([...difference.removed, ...difference.changed].map((name) => gateway.removeSource(name)))
    gateway.policy.update(rulesOf(config))
    examples.follow(config)
    gateway.tune(callSettingsOf(config))
    // What could not be made before may be mended by now, though nothing in the file has changed.
    for (const retry of retries.values()) void retry()
    registry.refresh()
    for (const name of [...difference.added, ...difference.changed]) starts.mount(name, config.sources[name]!)
    logger.log('info', say('Configuration reloaded', '配置已重新加载'), { ...difference })
    // An operator's doing, so lists may take another shape: now, and when what was added is there.
    face.reshape()
    void starts.settled().then(face.reshape)
  }

  return {
    gateway,
    face,
    get config() {
      return config
    },
    approvals,
    lock,
    stored: reader,
    signIns,
    waiting: { parked: () => gateway.waiting.list().length, unread: stdio.unread },
    problems: () => problems,
    makeSource: (name, source) => makeSource(name, source, surroundingsOf(name, around, 'apart')),
    findProfile,
    firstList: starts.firstList,
    start,
    settled: starts.settled,
    reload,
    close: async () => {
      registry.close()
      await starts.close()
      leaveDecisions()
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

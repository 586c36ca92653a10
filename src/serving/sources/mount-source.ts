import { isAbsolute } from 'node:path'
import type { SourceConfig } from '../../config/schema.js'
import { isGatewayError, messageOf } from '../../errors.js'
import type { Gateway } from '../../gateway.js'
import { systemClock } from '../../model/clock.js'
import type { KnownSource } from '../../sources/hosted/hosted.js'
import type { LoopGuard } from '../../sources/loop-guard.js'
import { makeSource, proxyIn, type SourceSurroundings } from '../../sources/make-source.js'
import type { OpenScripts } from '../../sources/scripts/script-entry.js'
import { createSetAsideSource } from '../../sources/set-aside.js'
import type { Source } from '../../sources/source.js'
import { downStates, isSupervised, type SourceStatus } from '../../sources/status.js'
import type { Isolate } from '../../sources/stdio/isolated/isolated-source.js'
import type { StdioHost } from '../../sources/stdio/sessions.js'
import type { Logger } from '../../telemetry/logger.js'
import { markedLogger } from '../../telemetry/logger.js'
import type { OpenedSignIns } from '../sign-ins.js'
import { implementation } from '../version.js'
import type { FleetHosting } from './fleet-hosting.js'
import type { SeenSources, StartOutcome } from './seen-sources.js'
import type { Verdicts } from './verdicts.js'

/** What every source of a board is made with. */
export interface MountSurroundings {
  readonly stdio: StdioHost
  readonly seen: SeenSources
  /** A source has said which tools it has. */
  readonly reported: (source: string) => Promise<void>
  readonly verdicts: Verdicts
  readonly signIns: OpenedSignIns
  readonly loop: LoopGuard
  /** What runs stored scripts. */
  readonly scripts: OpenScripts
  readonly folder: string
  /** `outbound.proxy`: an address, or `off`. */
  readonly proxy: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  /** How to try again those that could not be made, by name. */
  readonly retries: Map<string, () => Promise<void>>
  /** How sources share the replicas of a fleet; undefined for a process by itself. */
  readonly hosting: FleetHosting | undefined
  /** Filled where not even a place can be held: the name or namespace is another's. */
  readonly problems: Map<string, string>
}

/** The same as the factory takes it; with `apart` for one that is only tried out, so that nobody is to sign in for it. */
export const surroundingsOf = (
  name: string,
  { stdio, signIns, loop, scripts, folder, logger, ...around }: MountSurroundings,
  apart?: 'apart',
): SourceSurroundings => ({
  stdio: () => stdio,
  credentialsOf: (source) => signIns.credentialsOf(source, apart),
  callersOf: (source) => signIns.callersOf(source, apart),
  assertions: signIns.assertions,
  loop,
  scripts,
  proxy: proxyOf(around),
  readDatabase: async (path) => (await import('../../storage/sqlite/registry-database.js')).readToolDatabase(path),
  clientInfo: implementation,
  clock: systemClock,
  logger: markedLogger(logger, name),
  folder,
  // Of one that is tried out, one process shows enough.
  isolate: apart && ((_, { make, common }) => make(common)),
})

/** Loaded with the first source whose processes are its callers' own. */
const isolateFor = async (config: SourceConfig): Promise<Isolate | undefined> =>
  config.type === 'stdio' && config.isolation !== 'shared'
    ? (await import('../../sources/stdio/isolated/isolated-source.js')).createIsolatedSource
    : undefined

const proxyOf = ({ proxy, env }: Pick<MountSurroundings, 'proxy' | 'env'>): string | undefined => {
  if (proxy === undefined) return proxyIn(env)
  return proxy === 'off' ? undefined : proxy
}

/**
 * Makes a configured source and mounts it; resolves when it has started or failed to. Never rejects: where it cannot be made,
 * its place says why (U2).
 */
export const addSource = async (
  gateway: Gateway,
  name: string,
  config: SourceConfig,
  around: MountSurroundings,
): Promise<void> => {
  const { seen, reported, verdicts, logger, retries, problems, hosting } = around
  const mount = (source: Source): Promise<void> => {
    const timeoutMs = config.type === 'misconfigured' ? undefined : config.timeoutMs
    return gateway.addSource(name, source, {
      namespace: config.namespace,
      tags: config.tags,
      timeoutMs,
    })
  }
  retries.delete(name)
  seen.began(name, config)
  try {
    const isolate = await isolateFor(config)
    const make = (known: KnownSource | undefined): Source =>
      makeSource(name, config, {
        ...surroundingsOf(name, around),
        isolate,
        seen: known,
        verdict: verdicts.of(name, config),
        onVerdict: (verdict) => verdicts.keep(name, config, verdict),
      })
    const known = seen.of(name, config)
    const source = hosting ? hosting.host(name, config, { make, seen: known }) : make(known)
    const added = mount(source)
    logger
      .child('registry')
      .log('info', `Service registered: ${name}`, { namespace: config.namespace, type: config.type })
    await added
    const outcome = await firstStart(source)
    // Taken away while it started: it has reported nothing, and what is mounted under its name may be another by now.
    if (outcome === undefined || (isSupervised(source) && gateway.supervised(name) !== source)) return
    seen.ended(name, outcome)
    if (outcome === 'ready') await reported(name)
  } catch (error) {
    seen.ended(name, 'failed')
    // One bad source never takes the others with it.
    const code = isGatewayError(error) ? error.code : undefined
    logger.log('error', `Source '${name}' is not mounted: ${messageOf(error)}`, { code })
    if (isGatewayError(error) && error.code === 'SOURCE_CONFLICT') return void problems.set(name, messageOf(error))
    const retry = async (): Promise<void> => {
      await gateway.removeSource(name)
      await addSource(gateway, name, config, around)
    }
    retries.set(name, retry)
    const reason = withNextStep(error)
    await mount(createSetAsideSource({ ...placeOf(config), reason, clock: systemClock, retry })).catch((again) =>
      problems.set(name, messageOf(again)),
    )
  }
}

/** What it would be, and the file that it hangs on. */
const placeOf = (config: SourceConfig): { readonly kind: string; readonly file?: string | undefined } => {
  if (config.type === 'catalog') return { kind: config.type, file: config.path }
  if (config.type === 'embedded' && isAbsolute(config.module)) return { kind: config.type, file: config.module }
  return { kind: config.type }
}

const withNextStep = (error: unknown): string =>
  `${messageOf(error).replace(/\.?$/, '.')} Mend what it names; it is tried again when the file changes, or by: pegboard restart`

/**
 * Waits for the end of a start that is under way: ready where it can be called, or sleeps until it is; undefined where
 * somebody ended it first, which says nothing about the source.
 */
const firstStart = (source: Source): StartOutcome | undefined | Promise<StartOutcome | undefined> => {
  if (!isSupervised(source)) return 'ready'
  if (source.status.state !== 'starting') return outcomeOf(source.status)
  return new Promise((resolve) => {
    const stop = source.onStatus((status) => {
      if (status.state === 'starting') return
      stop()
      resolve(outcomeOf(status))
    })
  })
}

const outcomeOf = ({ state }: SourceStatus): StartOutcome | undefined => {
  if (state === 'stopped') return undefined
  return downStates.has(state) ? 'failed' : 'ready'
}

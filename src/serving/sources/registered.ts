import { namesTowards } from '../../catalog/names.js'
import { messageOf } from '../../errors.js'
import { type ProfileSettings, plainProfile } from '../../faces/mcp/profile.js'
import type { Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import { namespaceIn } from '../../model/tool-id.js'
import { createRegistrySource, registrySourceName } from '../../sources/registry/registry.js'
import { registeredSource, type Store, type StoreReader } from '../../storage/store.js'
import type { Logger } from '../../telemetry/logger.js'
import type { CurrentConfig } from '../current.js'
import { type BoardScripts, followScripts } from '../scripts.js'
import { openRegistered } from './kept-registered.js'

export interface RegistryOptions {
  readonly gateway: Gateway
  /** Undefined where nothing can be written. */
  readonly store: Store | undefined
  readonly reader: StoreReader
  readonly current: CurrentConfig
  readonly findProfile: (name: string) => ProfileSettings | undefined
  readonly logger: Logger
}

/** The board's own tools, by which models search it, and what they register. */
export interface Registry {
  /** Reads the definitions that are seldom used, between other work. */
  bringRest(): void
  /** What models write over the board's tools. */
  readonly scripts: BoardScripts
  /** After a change of the configuration: names may belong to a source now, or no longer. */
  refresh(): void
  /** Reads no more, follows nobody, and ends scripts that run. */
  close(): Promise<void>
}

export const mountRegistry = async (options: RegistryOptions): Promise<Registry> => {
  const { gateway, store, reader, current, findProfile, logger } = options
  const { storage, toolManager } = current.atStart
  const taken = (): readonly string[] => [
    ...new Set(Object.values(current.now.sources).map(({ namespace }) => namespace)),
  ]
  let namespaces = new Set(taken())
  const namespaceOf = (name: string): string | undefined =>
    namespaceIn(name, namespaces, toolManager.namespaceSeparator)
  const { registered, bringRest, close } = await openRegistered({
    reader,
    store: store ?? (storage.backend === 'memory' ? 'memory' : undefined),
    isTaken: (name) => namespaceOf(name) !== undefined,
    onProblems: (problems) => {
      for (const { tool, error } of problems)
        logger.log('warn', error.message, { source: registeredSource, tool, code: error.code })
    },
  })
  const namingOf = ({ profile }: Caller) => (findProfile(profile ?? 'default') ?? plainProfile).naming
  await gateway.addSource(registeredSource, registered, { namespace: '' })
  const names = namesTowards(gateway.shown, namingOf)
  const scripts = await followScripts({ gateway, current, toolNamed: names.toolNamed })
  const own = createRegistrySource({
    board: gateway,
    registered,
    names,
    namespaceOf,
    declares: (caller) => scripts.has(caller),
    answersOf: (tool) => scripts.answersOf(tool),
    budgetBytes: current.reading(['search.replyBytes'], ({ search }) => search.replyBytes),
  })
  await gateway.addSource(registrySourceName, own, { namespace: '' })
  return {
    scripts,
    bringRest: () => {
      if (registered.isWhole) return
      // So many that reading them for search takes seconds: begun with what is used often, so that this is found meanwhile.
      const begun = gateway.search('', { limit: 0 }).catch(() => {})
      begun.then(bringRest).catch((error: unknown) => {
        registered.bring([], true)
        logger.log('error', `Not all registered definitions could be read: ${messageOf(error)}`)
      })
    },
    refresh: () => {
      const next = taken()
      if (next.length === namespaces.size && next.every((each) => namespaces.has(each))) return
      namespaces = new Set(next)
      registered.refresh()
    },
    close: async () => {
      close()
      await scripts.close()
    },
  }
}

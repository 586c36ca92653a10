import { createGateway, type Gateway } from '../../gateway.js'
import { openStore } from '../../storage/open.js'
import { registeredSource, type Store } from '../../storage/store.js'
import type { Logger } from '../../telemetry/logger.js'
import type { ServeHttpOptions, ServeOptions } from './options.js'
import { type Served, serve } from './serve.js'

/** Document 002's backends (002-09). */
export const StorageBackend = Object.freeze({ JSON: 'json', SQLITE: 'sqlite' } as const)
export type StorageBackend = (typeof StorageBackend)[keyof typeof StorageBackend]

export interface ServerOptions extends Pick<ServeOptions, 'profiles' | 'serverInfo' | 'instructions' | 'logger'> {
  /** The data folder. Default: nothing is kept. */
  readonly dataPath?: string | undefined
  /** Default: `getDefaultStorageBackend()`. */
  readonly storageBackend?: StorageBackend | undefined
}

export interface RunOptions extends ServeHttpOptions {
  /** Default `stdio`, as in document 002. */
  readonly transport?: 'stdio' | 'http' | undefined
}

/** A registry server in the manner of document 002: six tools to search, read and register definitions. */
export interface RegistryServer extends AsyncDisposable {
  readonly gateway: Gateway
  /** Serves it. Over stdio the served one's `ended` resolves when the client has left. */
  run(options?: RunOptions): Promise<Served>
  close(): Promise<void>
}

/** `REGISTRYTOOLS_STORAGE_BACKEND`, or JSON; a word that is none counts as not set (002-09). */
export const getDefaultStorageBackend = (env: Readonly<Record<string, string | undefined>> = process.env) =>
  Object.values(StorageBackend).find((each) => each === env.REGISTRYTOOLS_STORAGE_BACKEND?.trim().toLowerCase()) ??
  StorageBackend.JSON

/** The store of a data folder. */
export const createStorage = (backend: StorageBackend, dataPath: string): Promise<Store> =>
  openStore({ backend, path: dataPath })

export const createServer = async (options: ServerOptions = {}): Promise<RegistryServer> => {
  const { dataPath, storageBackend = getDefaultStorageBackend(), logger, ...common } = options
  const store = dataPath === undefined ? undefined : await createStorage(storageBackend, dataPath)
  const gateway = await openGateway(store, logger)
  const profiles = {
    ...common.profiles,
    default: { expose: 'search', names: 'exact', registry: true, ...common.profiles?.default },
  } as const
  const served = new Set<Served>()
  const close = async (): Promise<void> => {
    await Promise.all([...served].map((each) => each.close()))
    await gateway.close()
    await store?.[Symbol.asyncDispose]()
  }
  return {
    gateway,
    run: async ({ transport = 'stdio', ...http } = {}) => {
      const way = transport === 'http' ? { http } : { stdio: { caller: registrar } }
      const opened = await serve(gateway, { ...common, profiles, logger, ...way })
      served.add(opened)
      return opened
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

export const createServerWithSqlite = (options: Omit<ServerOptions, 'storageBackend'> = {}): Promise<RegistryServer> =>
  createServer({ ...options, storageBackend: StorageBackend.SQLITE })

// Whoever started the process may register, as there.
const registrar = Object.freeze({ id: 'stdio', rights: Object.freeze(['discover', 'call', 'register'] as const) })

const openGateway = async (store: Store | undefined, logger: Logger | undefined): Promise<Gateway> => {
  const [{ mountOwnTools }, { findProfileIn }, { openRegistered }] = await Promise.all([
    import('./own-tools.js'),
    import('./profiles.js'),
    import('../sources/kept-registered.js'),
  ])
  const gateway = createGateway({
    store,
    keeps: ({ source }) => source !== registeredSource,
    logger,
  })
  await gateway.ready
  const reader = store ?? { load: async () => [] }
  const kept = await openRegistered({ reader, store: store ?? 'memory' })
  await mountOwnTools(gateway, findProfileIn({ default: { names: 'exact' } }), kept)
  await kept.bringRest()
  return gateway
}

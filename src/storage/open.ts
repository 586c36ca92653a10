import { GatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import { openJsonDocuments } from './json/json-documents.js'
import { openJsonStore } from './json/json-store.js'
import { readJsonStore } from './json/read-json.js'
import { createMemoryDocuments } from './memory/memory-documents.js'
import { createMemoryStore } from './memory/memory-store.js'
import type { OnCorrupt } from './set-aside.js'
import { readSqliteStore } from './sqlite/read-sqlite.js'
import { openSqliteStore } from './sqlite/sqlite-store.js'
import type { SharedDocuments, Store, StoreReader } from './store.js'

export const storeBackends = ['memory', 'json', 'sqlite'] as const
export type StoreBackend = (typeof storeBackends)[number]

export interface StoreOptions {
  readonly backend: StoreBackend
  /** The data folder; required for everything but memory. */
  readonly path?: string | undefined
  /**
   * What to do with a damaged file. Default: 'refuse', so that nobody loses tools by not looking; 'set-aside' keeps it as
   * `<file>.corrupt-<time>` and begins empty.
   */
  readonly onCorrupt?: OnCorrupt | undefined
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
}

/** Opens the store an operator asked for (002-09). Reject codes: CONFIG_INVALID, STORE_UNREADABLE, STORE_CORRUPT, STORE_TOO_NEW. */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  const { backend, path, ...rest } = options
  if (backend === 'memory') return createMemoryStore()
  const folder = folderOf(backend, path)
  return backend === 'json' ? openJsonStore({ folder, ...rest }) : openSqliteStore({ folder, ...rest })
}

/**
 * The same data for a process that does not own it: no lock is taken, nothing is written, made or set aside, and an owner
 * that runs is not held up. Reads reject with the codes of `openStore`; where nothing was stored there is nothing.
 */
export const readStore = ({ backend, path }: StoreOptions): StoreReader => {
  if (backend === 'memory') return createMemoryStore()
  const folder = folderOf(backend, path)
  return backend === 'json' ? readJsonStore({ folder }) : readSqliteStore({ folder })
}

/**
 * Documents that must be reachable while another process has the store open: keys, above all. They are a file of their own
 * in the data folder whichever backend keeps the tools, since a sqlite store belongs to one process as a whole.
 */
export const openSharedDocuments = (kind: string, options: StoreOptions): SharedDocuments => {
  const { backend, path, ...rest } = options
  if (backend === 'memory') return createMemoryDocuments()
  return openJsonDocuments({ folder: folderOf(backend, path), kind, ...rest })
}

const folderOf = (backend: StoreBackend, path: string | undefined): string => {
  if (!storeBackends.includes(backend)) throw unknownBackend(backend)
  if (path === undefined || path === '' || path.includes('\0')) throw noPath(backend)
  return path
}

const unknownBackend = (backend: unknown) =>
  new GatewayError(
    'CONFIG_INVALID',
    `Unknown storage backend '${String(backend).slice(0, 64)}'. Choose one of ${storeBackends.join(', ')}.`,
    { details: { path: 'storage.backend', choices: storeBackends } },
  )

const noPath = (backend: StoreBackend) =>
  new GatewayError('CONFIG_INVALID', `The ${backend} storage needs a folder. Set storage.path to one.`, {
    details: { path: 'storage.path' },
  })

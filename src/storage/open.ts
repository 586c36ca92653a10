import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import { type StoreBackend, storeBackends } from './backends.js'
import { jsonKinds, openJsonDocuments } from './json/json-documents.js'
import { openJsonStore } from './json/json-store.js'
import { readJsonStore } from './json/read-json.js'
import { createMemoryDocuments } from './memory/memory-documents.js'
import { createMemoryStore } from './memory/memory-store.js'
import type { OnCorrupt } from './set-aside.js'
import type { Storage } from './storage.js'
import type { SharedDocuments, Store, StoreReader } from './store.js'

export interface StoreOptions {
  readonly backend: StoreBackend
  /** The data folder; required for `json` and `sqlite`. */
  readonly path?: string | undefined
  /** The database of `postgres`: `postgres://user:password@host:5432/database`. */
  readonly url?: string | undefined
  /** The schema of our tables in that database. Default: `pegboard`. */
  readonly schema?: string | undefined
  /** How many connections `postgres` may have. Default: 5. */
  readonly connections?: number | undefined
  /**
   * What to do with a damaged file. Default: 'refuse', so that nobody loses tools by not looking; 'set-aside' keeps it as
   * `<file>.corrupt-<time>` and begins empty.
   */
  readonly onCorrupt?: OnCorrupt | undefined
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
}

/** How each backend in files is opened, by its owner and by who only looks; a database is loaded where one is asked for. */
const backends: Readonly<Record<FileBackend, Backend>> = {
  json: { load: () => ({ open: openJsonStore, read: readJsonStore }) },
  sqlite: {
    load: async () => {
      const [{ openSqliteStore }, { readSqliteStore }] = await Promise.all([
        import('./sqlite/sqlite-store.js'),
        import('./sqlite/read-sqlite.js'),
      ])
      return { open: openSqliteStore, read: readSqliteStore }
    },
  },
  memory: {
    load: () => ({ open: async () => createMemoryStore(), read: createMemoryStore }),
    needsNoFolder: true,
  },
}

type FileBackend = Exclude<StoreBackend, 'postgres'>

interface Backend {
  load(): OpenedBackend | Promise<OpenedBackend>
  readonly needsNoFolder?: boolean | undefined
}

interface OpenedBackend {
  open(options: Omit<StoreOptions, 'backend' | 'path'> & { readonly folder: string }): Promise<Store>
  /** No lock is taken, nothing is written, made or set aside. */
  read(options: { readonly folder: string }): StoreReader
}

/**
 * Opens the store an operator asked for (002-09). Reject codes: CONFIG_INVALID, STORE_UNREADABLE, STORE_CORRUPT, STORE_TOO_NEW,
 * STORE_UNAVAILABLE.
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  const { backend, path, ...rest } = options
  if (backend === 'postgres') return (await postgres()).openLonePostgresStore({ url: undefined, ...rest })
  const folder = folderOf(backend, path)
  return (await backends[backend].load()).open({ folder, ...rest })
}

/**
 * Documents that must be reachable while another process has the store open: keys, above all. They are a file of their own
 * in the data folder whichever backend keeps the tools, since a sqlite store belongs to one process as a whole.
 */
export const openSharedDocuments = (
  kind: string,
  options: StoreOptions & { readonly backend: FileBackend },
): SharedDocuments => {
  const { backend, path, ...rest } = options
  const folder = folderOf(backend, path)
  return backends[backend].needsNoFolder ? createMemoryDocuments() : openJsonDocuments({ folder, kind, ...rest })
}

/**
 * What a process keeps, opened once however many ask for it. With files nothing is touched yet; a database is connected to
 * when first asked.
 */
export const openStorage = async (options: StoreOptions): Promise<Storage> => {
  const { backend, path, ...rest } = options
  if (backend === 'postgres') return (await postgres()).openPostgresStorage({ url: undefined, ...rest })
  if (!storeBackends.includes(backend)) throw unknownBackend(backend)
  const { read } = await backends[backend].load()
  return {
    backend,
    place: path ?? backend,
    kinds: async (store) => {
      // A sqlite store is one process's own as a whole, so what several share is beside it in files.
      const beside = backend === 'sqlite' ? await jsonKinds(path ?? '') : []
      return [...new Set([...((await store.kinds?.()) ?? []), ...beside])].filter((kind) => !ownKinds.has(kind)).sort()
    },
    bytes: () => bytesIn(path),
    store: () => openStore(options),
    // An owner that runs is not held up; where nothing was stored there is nothing. Reads reject with the codes of `openStore`.
    reader: () => read({ folder: folderOf(backend, path) }),
    shared: (kind) => openSharedDocuments(kind, { backend, path, ...rest }),
    commons: undefined,
    [Symbol.asyncDispose]: async () => {},
  }
}

/** What is of this machine and its user, wherever the rest is kept: which configuration files they said yes to. */
const ownKinds: ReadonlySet<string> = new Set(['trust'])

/** What our files in a folder take. */
const bytesIn = async (folder: string | undefined): Promise<number | undefined> => {
  if (folder === undefined) return undefined
  const names = await readdir(folder).catch(() => [])
  const ours = names.filter((name) => /^(?:[a-z][a-z0-9-]*\.json|tools\.db(?:-wal|-shm)?)$/.test(name))
  const sizes = await Promise.all(
    ours.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size),
  )
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

// Loaded where it is asked for: the driver is a megabyte that everybody else does without.
const postgres = () => import('./postgres/postgres-storage.js')

const folderOf = (backend: FileBackend, path: string | undefined): string => {
  if (!storeBackends.includes(backend)) throw unknownBackend(backend)
  if (backends[backend].needsNoFolder) return ''
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

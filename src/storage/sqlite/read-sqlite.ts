import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import { type Disk, errnoOf, realDisk } from '../disk.js'
import { checkKind } from '../documents.js'
import { pause } from '../pause.js'
import { storeUnreadable } from '../problems.js'
import type { StoredDocument, StoredTool, StoreReader } from '../store.js'
import { compareIds } from '../tool-set.js'
import { usedMarker } from '../used-marker.js'
import { documentOf, documentQueries } from './document-rows.js'
import { type Driver, loadDriver } from './driver.js'
import { readProblem } from './problems.js'
import { fromRow } from './rows.js'
import { openSqliteFile } from './sqlite-file.js'
import { queries } from './statements.js'

export interface SqliteReaderOptions {
  readonly folder: string
  readonly driver?: Driver
  readonly disk?: Disk
  readonly clock?: Clock
}

interface Content {
  readonly identity: string
  readonly tools: readonly StoredTool[]
  readonly documents: readonly (StoredDocument & { readonly kind: string })[]
}

/**
 * Reads a copy of the database and its log. A second connection would hold a lock that keeps the owner from tidying up at its
 * end (libsql lets go only when garbage is collected), and could not read at all where this user may not write. What the copy
 * needs, an upgrade for one, happens to the copy.
 */
export const readSqliteStore = (options: SqliteReaderOptions): StoreReader => {
  const { folder, disk = realDisk, clock = systemClock } = options
  const path = join(folder, 'tools.db')
  let known: Content | undefined
  const current = async (): Promise<Content> => {
    try {
      const identity = await identityOf(disk, path)
      if (known?.identity !== identity) known = await readCopy(path, disk, clock, options.driver)
      return known
    } catch (error) {
      throw readProblem(path, error)
    }
  }
  return {
    load: async () => (await current()).tools,
    documents: (kind) => {
      checkKind(kind)
      const all = async (): Promise<readonly StoredDocument[]> =>
        (await current()).documents.filter((each) => each.kind === kind).map(({ id, value }) => ({ id, value }))
      return { all, get: async (id) => (await all()).find((each) => each.id === id)?.value }
    },
  }
}

const parts = ['', '-wal', '-journal'] as const
const mostCopies = 20

const readCopy = async (path: string, disk: Disk, clock: Clock, driver: Driver | undefined): Promise<Content> => {
  const used = await usedMarker(path, disk, silentLogger).isSet()
  if (!used && (await disk.identity(path)) === undefined) return { identity: '', tools: [], documents: [] }
  const own = await mkdtemp(join(tmpdir(), 'pegboard-read-'))
  try {
    const copy = join(own, basename(path))
    const identity = await copyWhole(path, copy, disk, clock)
    if (used) await usedMarker(copy, disk, silentLogger).set()
    return { identity, ...(await readAll(copy, path, disk, clock, driver)) }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/**
 * The database first, then its log, until the database was the same before and after: half of a checkpoint would be a
 * database that never was. A log that grows or begins anew meanwhile is no harm, since what does not fit in it is skipped.
 */
const copyWhole = async (path: string, copy: string, disk: Disk, clock: Clock): Promise<string> => {
  for (let count = 0; count < mostCopies; count++) {
    const identity = await identityOf(disk, path)
    const before = await disk.identity(path)
    for (const part of parts) await copyOrRemove(`${path}${part}`, `${copy}${part}`, disk)
    if ((await disk.identity(path)) === before) return identity
    await pause(clock)
  }
  throw storeUnreadable(path, new Error('it is being written to all the time. Try again in a moment'))
}

// A bound on memory, not on use: past it the file is read by its owner alone.
const maxCopyBytes = 256 * 1024 * 1024

const copyOrRemove = async (from: string, to: string, disk: Disk): Promise<void> => {
  try {
    await writeFile(to, await disk.read(from, maxCopyBytes), { mode: 0o600 })
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    await rm(to, { force: true })
  }
}

const identityOf = async (disk: Disk, path: string): Promise<string> =>
  (await Promise.all(parts.map((part) => disk.identity(`${path}${part}`)))).join(' ')

const readAll = async (
  copy: string,
  shown: string,
  disk: Disk,
  clock: Clock,
  driver: Driver = loadDriver(),
): Promise<Omit<Content, 'identity'>> => {
  const opening = { path: copy, driver, disk, logger: silentLogger, clock, onCorrupt: 'refuse' as const }
  const file = await openSqliteFile(opening).catch((error: unknown) => {
    throw underItsName(error, copy, shown)
  })
  try {
    const tools = file.db.prepare(queries.all).all()
    const documents = file.db.prepare(documentQueries.all).all()
    return {
      tools: tools.map((row) => fromRow(row, file.seed, shown)),
      documents: documents
        .map((row) => documentOf(row, file.seed, shown))
        .sort((one, other) => compareIds(one.id, other.id)),
    }
  } finally {
    file.close()
  }
}

/** What is wrong with the copy is wrong with what it is a copy of. */
const underItsName = (error: unknown, copy: string, shown: string): GatewayError => {
  const { code, message, details } = readProblem(copy, error)
  return new GatewayError(code, message.replaceAll(copy, shown), { details: { ...details, file: shown }, cause: error })
}

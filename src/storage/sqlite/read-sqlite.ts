import { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import { type Disk, realDisk } from '../disk.js'
import { checkKind } from '../documents.js'
import { readInherited } from '../inherited.js'
import type { StoredDocument, StoredTool, StoreReader } from '../store.js'
import { compareIds } from '../tool-set.js'
import { usedMarker } from '../used-marker.js'
import { identityWithLog, withCopy } from './copy-database.js'
import { documentOf, documentQueries } from './document-rows.js'
import { type Driver, loadDriver } from './driver.js'
import { readProblem } from './problems.js'
import { placeSqlite, readRegistryDatabase } from './registry-database.js'
import { fromRow } from './rows.js'
import { openSqliteFile } from './sqlite-file.js'
import { queries } from './statements.js'

export interface SqliteReaderOptions {
  readonly folder: string
  readonly driver?: Driver | undefined
  readonly disk?: Disk | undefined
  readonly clock?: Clock | undefined
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
  let known: Content | undefined
  const current = async (): Promise<Content> => {
    const { path } = await placeSqlite(folder, options)
    try {
      const identity = await identityWithLog(disk, path)
      if (known?.identity !== identity) known = await readCopy(path, disk, clock, options.driver)
      return known
    } catch (error) {
      throw readProblem(path, error)
    }
  }
  const inherited = async (): Promise<readonly StoredTool[]> => {
    const { foreign } = await placeSqlite(folder, options)
    return foreign === undefined ? [] : readRegistryDatabase(foreign, options)
  }
  return readInherited(inherited, {
    load: async () => (await current()).tools,
    documents: (kind) => {
      checkKind(kind)
      const all = async (): Promise<readonly StoredDocument[]> =>
        (await current()).documents.filter((each) => each.kind === kind).map(({ id, value }) => ({ id, value }))
      return { all, get: async (id) => (await all()).find((each) => each.id === id)?.value }
    },
  })
}

const readCopy = async (path: string, disk: Disk, clock: Clock, driver: Driver | undefined): Promise<Content> => {
  const used = await usedMarker(path, disk, silentLogger).isSet()
  if (!used && (await disk.identity(path)) === undefined) return { identity: '', tools: [], documents: [] }
  return withCopy(path, disk, clock, async (copy, identity) => {
    if (used) await usedMarker(copy, disk, silentLogger).set()
    return { identity, ...(await readAll(copy, path, disk, clock, driver)) }
  })
}

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

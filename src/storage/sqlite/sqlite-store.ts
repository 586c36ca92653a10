import { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { type Disk, realDisk } from '../disk.js'
import { checkKind, createDocumentSet } from '../documents.js'
import { type FileLock, lockFile } from '../file-lock.js'
import { withInherited } from '../inherited.js'
import { folderFailed, storeClosed } from '../problems.js'
import type { OnCorrupt } from '../set-aside.js'
import type { DocumentSet, Store, StoredTool, StoreProblem, ToolUses } from '../store.js'
import { toStoredTool } from '../stored-tool.js'
import { checkTemperature, type StoreChange } from '../tool-set.js'
import { createWriteQueue } from '../write-queue.js'
import { whenFree } from './busy.js'
import { contentProblems, integrityProblems } from './check.js'
import { applyKindChange, documentOf, documentQueries, type KindChange } from './document-rows.js'
import { type Driver, loadDriver, type Row, type SqlValue } from './driver.js'
import { inTransaction } from './migrate.js'
import { readProblem, writeProblem } from './problems.js'
import { placeSqlite, readRegistryDatabase } from './registry-database.js'
import { fromRow } from './rows.js'
import { openSqliteFile, type SqliteFile } from './sqlite-file.js'
import { applyChange, queries, selectionQuery } from './statements.js'
import { textOf } from './text.js'

export interface SqliteStoreOptions {
  /** The data folder; made with mode 0700 if missing. The tools are in `tools.db` in it (or beside one of RegistryTools). */
  readonly folder: string
  /** Default: 'refuse'. */
  readonly onCorrupt?: OnCorrupt | undefined
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
  /** Default: node:sqlite or libsql, whichever is there. */
  readonly driver?: Driver | undefined
  /** For tests that let the disk fail. */
  readonly disk?: Disk | undefined
}

/**
 * A database with a write-ahead log: a save costs one row and one flush, queries by tag and temperature use indexes.
 * Saves made in one turn, or while another waits for a lock, share a transaction.
 */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<Store> => {
  const { folder, disk = realDisk, logger = silentLogger, clock = systemClock, onCorrupt = 'refuse' } = options
  const driver = options.driver ?? loadDriver()
  await disk.makeFolder(folder).catch((error: unknown) => {
    throw folderFailed(folder, error)
  })
  const { path, foreign } = await placeSqlite(folder, { disk, clock, driver })
  const lock = await lockFile(path, disk, logger)
  try {
    const inherited = foreign === undefined ? [] : await readRegistryDatabase(foreign, { disk, clock, driver })
    const file = await openSqliteFile({ path, driver, disk, logger, clock, onCorrupt })
    return await withInherited(createStore(path, file, clock, lock, logger), inherited)
  } catch (error) {
    await lock.release()
    throw error
  }
}

const createStore = (path: string, file: SqliteFile, clock: Clock, lock: FileLock, logger: Logger): Store => {
  const { db, seed } = file
  let closing: Promise<void> | undefined
  const checkOpen = () => {
    if (closing) throw storeClosed(path)
  }
  const readRows = <T>(
    parse: (row: Row, seed: string, file: string) => T,
    sql: string,
    values: readonly SqlValue[],
  ) => {
    checkOpen()
    try {
      return db
        .prepare(sql)
        .all(...values)
        .map((row) => parse(row, seed, path))
    } catch (error) {
      throw readProblem(path, error)
    }
  }
  const read = (sql: string, ...values: readonly SqlValue[]): readonly StoredTool[] => readRows(fromRow, sql, values)
  const quiet = settleWhenQuiet(path, file, clock, logger)
  const queue = createWriteQueue<StoreChange | KindChange>(async (changes) => {
    const effects = await commit(path, file, clock, changes)
    quiet.restart()
    return effects
  })
  const write = async (change: () => StoreChange | KindChange) => {
    checkOpen()
    return queue.push(change())
  }
  const documents = (kind: string): DocumentSet =>
    createDocumentSet({
      get: async (id) => readRows(documentOf, documentQueries.one, [kind, id])[0]?.value,
      all: async () => readRows(documentOf, documentQueries.ofKind, [kind]).map(({ id, value }) => ({ id, value })),
      push: (change) => write(() => ({ type: 'documents', kind, change })),
    })

  return {
    load: async () => read(queries.all),
    save: async (tool) => void (await write(() => ({ type: 'put', tools: [toStoredTool(tool)] }))),
    saveMany: async (tools) => void (await write(() => ({ type: 'put', tools: tools.map(toStoredTool) }))),
    delete: async (id) => write(() => ({ type: 'delete', id })),
    validate: async () => {
      checkOpen()
      return findProblems(path, file)
    },
    loadByTemperature: async (temperature, limit) => {
      checkTemperature(temperature, limit)
      return read(queries.byTemperature, temperature, limit ?? -1)
    },
    loadByTag: async (tag) => read(queries.byTag, tag),
    select: async (selection) => read(...selectionQuery(selection)),
    uses: async () => readRows(usesOf, queries.uses, []),
    merge: async (tools, uses) =>
      void (await write(() => ({ type: 'merge', tools: tools.map(toStoredTool), uses: [...uses] }))),
    kinds: async () => readRows((row) => textOf(row.kind, path), documentQueries.kinds, []),
    documents: (kind) => {
      checkOpen()
      return documents(checkKind(kind))
    },
    [Symbol.asyncDispose]: () => {
      closing ??= queue.idle().then(() => {
        quiet.cancel()
        return close(path, file, lock, logger)
      })
      return closing
    },
  }
}

const usesOf = (row: Row, _seed: string, file: string): ToolUses => ({
  id: textOf(row.id, file),
  count: row.use_count as number,
  lastUsed: row.last_used as number | null,
})

const commit = async (path: string, file: SqliteFile, clock: Clock, changes: readonly (StoreChange | KindChange)[]) => {
  if (!file.isInPlace()) throw replacedByOthers(path)
  const { db, seed } = file
  const apply = (change: StoreChange | KindChange): boolean =>
    change.type === 'documents' ? applyKindChange(db, seed, path, change) : applyChange(db, seed, path, change)
  try {
    return await whenFree(clock, () => inTransaction(db, () => changes.map(apply)))
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/** How long no save may come before the log is emptied into the database. */
export const quietMs = 1000

// SQLite takes a damaged log for an unfinished change and drops it, and people copy tools.db alone; neither costs more
// than the last busy moments this way. Not after every save: that would be a second flush for each.
const settleWhenQuiet = (path: string, file: SqliteFile, clock: Clock, logger: Logger) => {
  let cancel = () => {}
  const settle = () => {
    try {
      file.settle()
    } catch (error) {
      logger.log('debug', 'the write-ahead log stays for now', {
        file: path,
        reason: writeProblem(path, error).message,
      })
    }
  }
  return {
    restart: () => {
      cancel()
      cancel = clock.after(quietMs, settle)
    },
    cancel: () => cancel(),
  }
}

// Everything acknowledged is on disk already; a close that cannot say goodbye leaves a log that the next open replays.
const close = async (path: string, file: SqliteFile, lock: FileLock, logger: Logger): Promise<void> => {
  try {
    file.close()
  } catch (error) {
    logger.log('warn', 'database closed without tidying up', { file: path, reason: writeProblem(path, error).message })
  }
  await lock.release()
}

const findProblems = (path: string, file: SqliteFile): readonly StoreProblem[] => {
  try {
    if (!file.isInPlace()) return [{ file: path, reason: 'the file was removed or replaced while open' }]
    const reasons = [...integrityProblems(file.db, path), ...contentProblems(file.db, file.seed, path)]
    return reasons.map((reason) => ({ file: path, reason }))
  } catch (error) {
    return [{ file: path, reason: readProblem(path, error).message }]
  }
}

// Our descriptor still points at the old file: a commit would succeed and be gone after the next start.
const replacedByOthers = (path: string) =>
  new GatewayError(
    'STORE_WRITE_FAILED',
    `Cannot save to ${path}: the file was removed or replaced while it was open. Restart to use what is there now.`,
    { details: { file: path } },
  )

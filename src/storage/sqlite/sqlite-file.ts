import { statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { type GatewayError, isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { type Disk, errnoOf } from '../disk.js'
import { storeCorrupt, storeUnreadable } from '../problems.js'
import { freeName, type OnCorrupt } from '../set-aside.js'
import { type UsedMarker, usedMarker } from '../used-marker.js'
import { whenFree } from './busy.js'
import { checkedAtOpenBytes, checkSchema, integrityProblems } from './check.js'
import type { Database, Driver } from './driver.js'
import { checkHeader } from './header.js'
import { inTransaction, migrate, type Origin, originOf } from './migrate.js'
import { isUnwritable, readProblem, writeProblem } from './problems.js'
import { schemaVersion } from './schema.js'
import { asText, textOf } from './text.js'

export interface SqliteFileOptions {
  readonly path: string
  readonly driver: Driver
  readonly disk: Disk
  readonly logger: Logger
  readonly clock: Clock
  readonly onCorrupt: OnCorrupt
}

/** An open, checked database of the current version. */
export interface SqliteFile {
  readonly db: Database
  readonly seed: string
  /** False once the path names another file than the one that is open. */
  isInPlace(): boolean
  /** Moves what is in the write-ahead log into the database and empties it; does nothing while somebody else reads. */
  settle(): void
  close(): void
}

export const openSqliteFile = async (options: SqliteFileOptions): Promise<SqliteFile> => {
  const marker = usedMarker(options.path, options.disk, options.logger)
  try {
    return await open(options, marker)
  } catch (error) {
    const problem = readProblem(options.path, error)
    if (problem.code !== 'STORE_CORRUPT' || options.onCorrupt !== 'set-aside') throw problem
    await setAside(options, problem)
    await marker.clear()
    return open(options, marker)
  }
}

const open = async (options: SqliteFileOptions, marker: UsedMarker): Promise<SqliteFile> => {
  const { path, driver, clock } = options
  const used = await marker.isSet()
  const hadLog = await examine(options, marker, used)
  const db = driver.open(path)
  try {
    const origin = await whenFree(clock, () => originOf(db, path))
    // Before the first change, so that a file we refuse is left as it is.
    if (isCurrent(origin)) checkOurs(db, options, used && !hadLog, marker)
    if (origin.type !== 'empty') checkPages(db, path)
    await backUp(options, db, origin)
    // FULL: a commit is flushed before it is reported, also against power loss; without it only against our own death.
    db.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF')
    await whenFree(clock, () => migrate(db, path, origin))
    await startLog(options, db)
    await marker.set()
    return createFile(options, db, seedOf(db, path))
  } catch (error) {
    db.close()
    throw error
  }
}

/** Looks at the file before SQLite does, which would make an empty one a fresh database. True: there is a write-ahead log. */
const examine = async ({ path, disk }: SqliteFileOptions, marker: UsedMarker, used: boolean): Promise<boolean> => {
  const fix = `Restore a backup, or delete ${marker.path} as well to begin afresh on purpose.`
  const identity = await disk.identity(path)
  if (identity === undefined && used) throw storeCorrupt(path, 'it is missing, though tools were stored here', { fix })
  if (identity === undefined) await createPrivate(disk, path)
  else if (!checkHeader(path) && used)
    throw storeCorrupt(path, 'it is empty (0 bytes), though tools were stored here', { fix })
  return (await disk.identity(`${path}-wal`)) !== undefined
}

// SQLite gives its log and index the mode of the database, so this covers them too.
const createPrivate = async (disk: Disk, path: string): Promise<void> => {
  const handle = await disk.create(path)
  await handle.close()
}

const backUp = async (
  { path, clock, disk, logger }: SqliteFileOptions,
  db: Database,
  origin: Origin,
): Promise<void> => {
  if (origin.type === 'empty' || isCurrent(origin)) return
  const backup = await freeName(path, `before-v${schemaVersion}`, disk, clock)
  // Through SQLite and not as a file copy, so that what is still in the write-ahead log comes along.
  await whenFree(clock, () => db.prepare('VACUUM INTO ?').run(backup))
  await chmod(backup, 0o600)
  logger.log('info', 'database of an earlier format is upgraded, a copy is kept', { file: path, backup })
}

const isCurrent = (origin: Origin): boolean => origin.type === 'ours' && origin.version === schemaVersion

const checkOurs = (
  db: Database,
  { path, logger }: SqliteFileOptions,
  logMissing: boolean,
  marker: UsedMarker,
): void => {
  checkSchema(db, path)
  seedOf(db, path)
  const state = metaOf(db, path, 'state')
  if (state !== 'open' && state !== 'closed') throw storeCorrupt(path, 'its note of how it was left is unreadable')
  if (state === 'open' && logMissing) checkLostLog(db, path, logger, marker)
}

/**
 * An open database says so in itself, and a clean close removes note and write-ahead log. The note without the log means
 * that the log was lost, or that another program opened and closed the database after a crash and tidied up; SQLite goes
 * on without a word in both cases. With tools left we go on too, aloud; with none we would start empty, and refuse.
 */
const checkLostLog = (db: Database, path: string, logger: Logger, marker: UsedMarker): void => {
  const sql = 'SELECT EXISTS (SELECT 1 FROM tools) OR EXISTS (SELECT 1 FROM documents) AS found'
  const hasContent = db.prepare(sql).all()[0]?.found === 1
  if (hasContent) {
    logger.log('warn', 'the write-ahead log is gone after an unclean end: the last changes may be lost', { file: path })
    return
  }
  throw storeCorrupt(
    path,
    'its write-ahead log (-wal) is missing after an unclean end, and there are no tools without it',
    {
      fix: `Put the log back, or restore a backup. If there were no tools, delete ${marker.path} to go on.`,
    },
  )
}

const checkPages = (db: Database, path: string): void => {
  if (sizeOf(path) > checkedAtOpenBytes) return
  const [problem] = integrityProblems(db, path)
  if (problem !== undefined) throw storeCorrupt(path, `SQLite reports: ${problem}`)
}

// On a full disk or a read-only one there is no log, and SQLite works with its older journal until the next open: what is
// stored can be read, and saved to as soon as that is possible again.
const startLog = async ({ path, clock, logger }: SqliteFileOptions, db: Database): Promise<void> => {
  try {
    await whenFree(clock, () => db.exec('PRAGMA journal_mode = WAL'))
    await whenFree(clock, () => setState(db, 'open'))
    // Into the main file, where it can be read without the log.
    settle(db)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    logger.log('warn', 'database takes no changes at the moment', {
      file: path,
      reason: writeProblem(path, error).message,
    })
  }
}

const createFile = ({ path }: SqliteFileOptions, db: Database, seed: string): SqliteFile => {
  const inode = inodeOf(path)
  return {
    db,
    seed,
    isInPlace: () => inodeOf(path) === inode,
    settle: () => settle(db),
    close: () => {
      try {
        setState(db, 'closed')
        // One file at rest, simple to copy. And libsql closes for real only when garbage is collected: were it still in
        // WAL mode then, it would tidy away the log of whoever uses the file by that time.
        db.prepare('PRAGMA journal_mode = DELETE').all()
      } finally {
        db.close()
      }
    },
  }
}

const settle = (db: Database): void => void db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()

const setState = (db: Database, state: 'open' | 'closed'): void =>
  inTransaction(db, () => void db.prepare("UPDATE meta SET value = ? WHERE key = 'state'").run(state))

const metaOf = (db: Database, path: string, key: string): string =>
  textOf(db.prepare(`SELECT ${asText('value')} FROM meta WHERE key = ?`).all(key)[0]?.value, path)

const seedOf = (db: Database, path: string): string => {
  const seed = metaOf(db, path, 'store_id')
  if (!/^[0-9a-f-]{36}$/.test(seed)) throw storeCorrupt(path, 'its own id is unreadable')
  return seed
}

const setAside = async ({ path, disk, clock, logger }: SqliteFileOptions, problem: GatewayError): Promise<void> => {
  const aside = await freeName(path, 'corrupt', disk, clock)
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      await disk.rename(`${path}${suffix}`, `${aside}${suffix}`)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw isGatewayError(error) ? error : storeUnreadable(path, error)
    }
  }
  logger.log('warn', 'damaged store set aside, starting empty', { file: path, aside, reason: problem.message })
}

const sizeOf = (path: string): number => statSync(path).size

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

import { GatewayError, isGatewayError } from '../../errors.js'
import { storeCorrupt, storeTooNew } from '../problems.js'
import { parseRegistryTool } from '../registry-tools.js'
import type { StoredTool } from '../store.js'
import type { Database, Row, SqlValue } from './driver.js'
import { applicationId, migrations, schemaVersion } from './schema.js'

/** What a file turns out to be before anything is changed in it. */
export type Origin =
  | { readonly type: 'empty' }
  | { readonly type: 'ours'; readonly version: number }
  | { readonly type: 'registry-tools' }

export const originOf = (db: Database, file: string): Origin => {
  const application = pragma(db, 'application_id')
  const version = pragma(db, 'user_version')
  if (application === applicationId) return { type: 'ours', version: checkVersion(version, file) }
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (application === 0 && version === 0 && tables.length === 0) return { type: 'empty' }
  if (application === 0 && isRegistryTools(db)) return { type: 'registry-tools' }
  throw otherProgram(file)
}

/** Brings a file to the current version, if it is not. `put` stores tools taken over from RegistryTools, in the same transaction. */
export const migrate = (
  db: Database,
  file: string,
  from: Origin,
  put: (tools: readonly StoredTool[]) => void,
): void => {
  if (from.type === 'ours' && from.version === schemaVersion) return
  inTransaction(db, () => {
    const foreign = from.type === 'registry-tools' ? takeOver(db, file) : []
    for (const step of migrations.slice(from.type === 'ours' ? from.version : 0)) step(db)
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`)
    put(foreign)
  })
}

/** All or nothing. IMMEDIATE, so that waiting for a lock happens before the work and never in the middle of it. */
export const inTransaction = <T>(db: Database, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

// SQLite has already rolled back by itself after a full disk or an I/O error, and says so with an error of its own.
const rollBack = (db: Database): void => {
  try {
    db.exec('ROLLBACK')
  } catch {}
}

const pragma = (db: Database, name: string): SqlValue =>
  Object.values(db.prepare(`PRAGMA ${name}`).all()[0] ?? {})[0] ?? 0

const checkVersion = (version: SqlValue, file: string): number => {
  if (typeof version !== 'number' || version < 1)
    throw storeCorrupt(file, 'its format version is not one we ever wrote')
  if (version > schemaVersion) throw storeTooNew(file, version, schemaVersion)
  return version
}

const registryColumns = ['name', 'description', 'use_frequency', 'last_used']

const isRegistryTools = (db: Database): boolean => {
  const names = db
    .prepare("SELECT name FROM pragma_table_info('tools')")
    .all()
    .map((row) => row.name)
  return registryColumns.every((column) => names.includes(column))
}

const takeOver = (db: Database, file: string): readonly StoredTool[] => {
  const tools = db
    .prepare('SELECT * FROM tools')
    .all()
    .map((row) => registryRow(row, file))
  db.exec('DROP TABLE tools')
  return tools
}

// Ten or eleven columns (the older has no temperature); three of them hold JSON, and truth is 0 or 1.
const registryRow = (row: Row, file: string): StoredTool => {
  try {
    return parseRegistryTool({
      ...row,
      ...json(row, 'tags'),
      ...json(row, 'input_schema'),
      ...json(row, 'output_schema'),
      defer_loading: row.defer_loading === null ? null : row.defer_loading !== 0,
    })
  } catch (cause) {
    const reason = isGatewayError(cause) ? cause.message.replace(/\.$/, '') : 'a column is not JSON'
    throw storeCorrupt(file, `RegistryTools row '${String(row.name).slice(0, 128)}': ${reason}`, { cause })
  }
}

const json = (row: Row, column: string): Record<string, unknown> => {
  const text = row[column]
  return { [column]: typeof text === 'string' && text !== '' ? JSON.parse(text) : null }
}

const otherProgram = (file: string) =>
  new GatewayError(
    'STORE_UNREADABLE',
    `${file} is a database of another program. It was left as it is. Move it away, or choose another storage path.`,
    { details: { file } },
  )

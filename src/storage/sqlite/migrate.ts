import { GatewayError, isGatewayError } from '../../errors.js'
import { storeCorrupt, storeTooNew } from '../problems.js'
import { parseRegistryTool } from '../registry-tools.js'
import type { StoredTool } from '../store.js'
import type { Database, Row } from './driver.js'
import { applicationId, migrations, schemaVersion } from './schema.js'
import { asText, textOf } from './text.js'

/** What a file turns out to be before anything is changed in it. */
export type Origin =
  | { readonly type: 'empty' }
  | { readonly type: 'ours'; readonly version: number }
  | { readonly type: 'registry-tools' }

export const originOf = (db: Database, file: string): Origin => {
  const application = pragma(db, 'application_id')
  const version = pragma(db, 'user_version')
  if (application === applicationId) return { type: 'ours', version: checkVersion(version, file) }
  const objects = db.prepare('SELECT count(*) AS n FROM sqlite_schema').all()[0]?.n
  if (application === 0 && version === 0 && objects === 0) return { type: 'empty' }
  if (application === 0 && registryColumnsOf(db, file) !== undefined) return { type: 'registry-tools' }
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

const pragma = (db: Database, name: string): Row[string] =>
  Object.values(db.prepare(`PRAGMA ${name}`).all()[0] ?? {})[0] ?? 0

const checkVersion = (version: Row[string], file: string): number => {
  if (typeof version !== 'number' || version < 1)
    throw storeCorrupt(file, 'its format version is not one we ever wrote')
  if (version > schemaVersion) throw storeTooNew(file, version, schemaVersion)
  return version
}

// Ten or eleven columns: the older shape has no temperature. Two hold numbers, three JSON.
const numberColumns = ['defer_loading', 'use_frequency']
const jsonColumns = ['tags', 'input_schema', 'output_schema']
const plainColumns = ['name', 'description', 'mcp_server', 'category', 'last_used', 'temperature']
const requiredColumns = ['name', 'description', 'use_frequency', 'last_used']

const registryColumnsOf = (db: Database, file: string): readonly string[] | undefined => {
  const found = db
    .prepare(`SELECT ${asText('name')} FROM pragma_table_info('tools')`)
    .all()
    .map((row) => textOf(row.name, file))
  if (!requiredColumns.every((column) => found.includes(column))) return undefined
  return [...numberColumns, ...jsonColumns, ...plainColumns].filter((column) => found.includes(column))
}

const takeOver = (db: Database, file: string): readonly StoredTool[] => {
  const columns = registryColumnsOf(db, file) ?? []
  const selected = columns.map((name) =>
    numberColumns.includes(name) ? `CAST(${name} AS INTEGER) AS ${name}` : asText(name),
  )
  const rows = db.prepare(`SELECT ${selected.join(', ')} FROM tools`).all()
  const tools = rows.map((row) => registryRow(row, columns, file))
  db.exec('DROP TABLE tools')
  return tools
}

const registryRow = (row: Row, columns: readonly string[], file: string): StoredTool => {
  const texts = columns
    .filter((column) => !numberColumns.includes(column))
    .map((column) => [column, row[column] === null ? null : textOf(row[column], file)] as const)
  try {
    return parseRegistryTool({
      ...Object.fromEntries(
        texts.map(([column, text]) => [column, jsonColumns.includes(column) ? parseJson(text) : text]),
      ),
      use_frequency: row.use_frequency,
      defer_loading: row.defer_loading === null ? null : row.defer_loading !== 0,
    })
  } catch (cause) {
    const reason = isGatewayError(cause)
      ? cause.message.replace(/\.?( It was not stored)?\.$/, '')
      : 'a column is not JSON'
    const name = texts.find(([column]) => column === 'name')?.[1] ?? ''
    throw storeCorrupt(file, `RegistryTools row '${name.slice(0, 128)}': ${reason}`)
  }
}

const parseJson = (text: string | null): unknown => (text === null || text === '' ? null : JSON.parse(text))

const otherProgram = (file: string) =>
  new GatewayError(
    'STORE_UNREADABLE',
    `${file} is a database of another program. It was left as it is. Move it away, or choose another storage path.`,
    { details: { file } },
  )

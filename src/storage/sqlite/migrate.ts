import { GatewayError } from '../../errors.js'
import { storeCorrupt, storeTooNew } from '../problems.js'
import type { Database, Row } from './driver.js'
import { registryColumnsOf } from './registry-rows.js'
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
  const objects = db.prepare('SELECT count(*) AS n FROM sqlite_schema').all()[0]?.n
  if (application === 0 && version === 0 && objects === 0) return { type: 'empty' }
  if (application === 0 && registryColumnsOf(db, file) !== undefined) return { type: 'registry-tools' }
  throw otherProgram(file)
}

/** Brings a file of ours to the current version, if it is not. */
export const migrate = (db: Database, file: string, from: Origin): void => {
  if (from.type === 'registry-tools') throw otherProgram(file)
  if (from.type === 'ours' && from.version === schemaVersion) return
  inTransaction(db, () => {
    for (const step of migrations.slice(from.type === 'ours' ? from.version : 0)) step(db)
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`)
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

const otherProgram = (file: string) =>
  new GatewayError(
    'STORE_UNREADABLE',
    `${file} is a database of another program. It was left as it is. Move it away, or choose another storage path.`,
    { details: { file } },
  )

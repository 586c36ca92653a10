import { GatewayError } from '../../errors.js'
import { storeTooNew } from '../problems.js'
import type { Query } from './connection.js'
import { isUnmade } from './problems.js'
import { migrations, minReader, schemaVersion, type Tables } from './schema.js'

/** What a migration needs of the database. */
interface Migrated {
  readonly place: string
  readonly tables: Tables
  readonly query: Query
  onOne<T>(work: (query: Query) => Promise<T>, timeMs: number): Promise<T>
}

const lockMs = 10_000
const workMs = 60_000

/**
 * Brings the tables to this program's version. Replicas that start together wait for the first of them, at most ten seconds;
 * steps only add, so that replicas of the version before go on. Rejects with STORE_TOO_NEW where they say that we are too old.
 */
export const migrate = async (database: Migrated): Promise<void> => {
  if ((await versionOf(database, database.query)) >= schemaVersion) return
  await database.onOne(async (query) => {
    // A pooler may have ended a transaction that somebody left open, but never shares one.
    await query('begin')
    try {
      await query(`set local lock_timeout = ${lockMs}`)
      await query(`set local statement_timeout = ${workMs}`)
      await query('select pg_advisory_xact_lock(hashtextextended($1, 7203))', [database.tables.schema])
      await upgrade(database, query)
      await query('commit')
    } catch (error) {
      await query('rollback').catch(() => {})
      throw error
    }
  }, workMs)
}

const upgrade = async (database: Migrated, query: Query): Promise<void> => {
  const { tables } = database
  const [there] = await query('select to_regnamespace($1) is not null as schema, to_regclass($2) is not null as meta', [
    tables.schema,
    tables.meta,
  ])
  if (!there?.schema) await query(`create schema ${tables.schema}`)
  if (!there?.meta) await query(`create table ${tables.meta} (key text primary key, value text not null)`)
  const from = there?.meta ? await versionOf(database, query) : 0
  if (from >= schemaVersion) return
  for (const step of migrations.slice(from)) for (const statement of step(tables)) await query(statement)
  await query(
    `insert into ${tables.meta} (key, value) values ('schema', $1) on conflict (key) do update set value = excluded.value`,
    [JSON.stringify({ version: schemaVersion, minReader })],
  )
}

/** Rejects with STORE_TOO_NEW or STORE_CORRUPT; no tables are fine. */
export const checkVersions = async (database: Migrated): Promise<void> =>
  void (await versionOf(database, database.query))

/** 0 where there are no tables yet. */
const versionOf = async ({ place, tables }: Migrated, query: Query): Promise<number> => {
  const rows = await query(`select value from ${tables.meta} where key = 'schema'`).catch((error: unknown) => {
    if (isUnmade(error)) return []
    throw error
  })
  return rows.length === 0 ? 0 : checkVersion(place, rows[0]?.value)
}

const checkVersion = (place: string, value: unknown): number => {
  const { version, minReader: least } = parseNote(place, value)
  if (least > schemaVersion) throw storeTooNew(place, version, schemaVersion)
  return version
}

const parseNote = (place: string, value: unknown): { readonly version: number; readonly minReader: number } => {
  try {
    const note = JSON.parse(String(value)) as { version?: unknown; minReader?: unknown }
    if (Number.isSafeInteger(note.version) && Number.isSafeInteger(note.minReader))
      return { version: note.version as number, minReader: note.minReader as number }
  } catch {}
  throw new GatewayError(
    'STORE_CORRUPT',
    `The tables at ${place} do not say which version they have (meta, key "schema"). They were left as they are. Restore a backup, or choose another storage.schema.`,
    { details: { place } },
  )
}

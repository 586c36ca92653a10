import { createRequire } from 'node:module'
import { GatewayError } from '../../errors.js'

export type SqlValue = string | number | null
/** Bytes come as a view from node:sqlite and as a plain buffer from libsql. */
export type Row = Readonly<Record<string, SqlValue | Uint8Array | ArrayBuffer>>

export interface Statement {
  /** The number of rows changed. */
  run(...values: readonly SqlValue[]): number
  all(...values: readonly SqlValue[]): readonly Row[]
}

/** The little of SQLite that we use; both drivers are synchronous. */
export interface Database {
  exec(sql: string): void
  /** The same text gives the same statement: libsql frees one only when garbage is collected. */
  prepare(sql: string): Statement
  close(): void
}

export interface Driver {
  readonly name: 'node:sqlite' | 'libsql'
  open(file: string): Database
}

/** Loads a module by name or throws; an argument, so that tests can take drivers away. */
export type Load = (name: string) => unknown

/**
 * Prefers what comes with Node (22.13 and later, newest SQLite), else libsql, an optional dependency whose binaries need
 * no install script. Loaded when first needed: most gateways never open a database.
 */
export const loadDriver = (load: Load = createRequire(import.meta.url)): Driver => {
  for (const attempt of [nodeDriver, libsqlDriver]) {
    try {
      return attempt(load)
    } catch {
      // Try the next driver. If none can be loaded, the error below says how to get one.
    }
  }
  throw new GatewayError(
    'STORE_UNREADABLE',
    'The sqlite backend needs a SQLite driver, and this Node has none. ' +
      "Run 'npm install libsql', or use Node 22.13 or later, or choose the json backend.",
  )
}

// Both wait for locks by blocking the whole process, so waiting is ours (see busy.ts) and theirs is off.
const noWait = 0

const nodeDriver = (load: Load): Driver => {
  const { DatabaseSync } = load('node:sqlite') as { DatabaseSync: new (file: string, options: object) => NodeDatabase }
  if (typeof DatabaseSync !== 'function') throw new Error('node:sqlite is not what it was')
  return {
    name: 'node:sqlite',
    open: (file) => {
      const db = new DatabaseSync(file, { timeout: noWait })
      return {
        exec: (sql) => db.exec(sql),
        prepare: remembered((sql) => fromNode(db.prepare(sql))),
        close: () => db.close(),
      }
    },
  }
}

const libsqlDriver = (load: Load): Driver => {
  const Libsql = load('libsql') as new (file: string, options: object) => LibsqlDatabase
  if (typeof Libsql !== 'function') throw new Error('libsql is not what it was')
  return {
    name: 'libsql',
    open: (file) => {
      const db = new Libsql(file, { timeout: noWait })
      return {
        exec: (sql) => db.exec(sql),
        prepare: remembered((sql) => fromLibsql(db.prepare(sql))),
        close: () => db.close(),
      }
    },
  }
}

const remembered = (prepare: (sql: string) => Statement): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): {
    run(...values: readonly SqlValue[]): { readonly changes: number | bigint }
    all(...values: readonly SqlValue[]): Row[]
  }
  close(): void
}

interface LibsqlDatabase {
  exec(sql: string): void
  prepare(sql: string): {
    run(values: readonly SqlValue[]): { readonly changes: number }
    all(values: readonly SqlValue[]): Row[]
  }
  close(): void
}

const fromNode = (statement: ReturnType<NodeDatabase['prepare']>): Statement => ({
  run: (...values) => Number(statement.run(...values).changes),
  all: (...values) => statement.all(...values),
})

// As one list: libsql takes a lone null for an object of named values.
const fromLibsql = (statement: ReturnType<LibsqlDatabase['prepare']>): Statement => ({
  run: (...values) => statement.run(values).changes,
  all: (...values) => statement.all(values),
})

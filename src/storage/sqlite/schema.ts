import { randomUUID } from 'node:crypto'
import type { Database } from './driver.js'

/** "Pegb" in the file header, so that nobody's database is mistaken for ours (F6). */
export const applicationId = 0x50656762

const version1: Readonly<Record<string, string>> = {
  meta: 'CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  tools:
    'CREATE TABLE tools (id TEXT PRIMARY KEY NOT NULL, namespace TEXT NOT NULL, source TEXT NOT NULL, category TEXT, ' +
    'use_count INTEGER NOT NULL, last_used INTEGER, temperature TEXT NOT NULL, definition TEXT NOT NULL, ' +
    'traits TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT',
  tools_by_temperature: 'CREATE INDEX tools_by_temperature ON tools (temperature, use_count DESC, id)',
  // The traits of a tool hold its tags too, in order; this table is how tools are found by one.
  tags: 'CREATE TABLE tags (tag TEXT NOT NULL, tool_id TEXT NOT NULL, PRIMARY KEY (tag, tool_id)) STRICT, WITHOUT ROWID',
  tags_by_tool: 'CREATE INDEX tags_by_tool ON tags (tool_id)',
}

const version2: Readonly<Record<string, string>> = {
  documents:
    'CREATE TABLE documents (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, checksum INTEGER NOT NULL, ' +
    'PRIMARY KEY (kind, id)) STRICT',
}

/** Each object of the current version with its exact text, which is also how a changed schema is noticed. */
export const objects: Readonly<Record<string, string>> = { ...version1, ...version2 }

/** One step from version n to n + 1, at index n; each runs in one transaction together with its version number. */
export const migrations: readonly ((db: Database) => void)[] = [
  (db) => {
    for (const sql of Object.values(version1)) db.exec(sql)
    db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('store_id', randomUUID())
    db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('state', 'closed')
  },
  (db) => {
    for (const sql of Object.values(version2)) db.exec(sql)
  },
]

export const schemaVersion = migrations.length

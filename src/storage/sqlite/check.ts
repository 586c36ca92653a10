import { storeCorrupt } from '../problems.js'
import type { Database } from './driver.js'
import { objects } from './schema.js'

/** The whole check takes about 2 ms per megabyte; larger files are checked by `validate()` and row by row when read. */
export const checkedAtOpenBytes = 64 * 1024 * 1024

/** SQLite's own full check. Not `quick_check`: that one does not compare indexes with tables, and costs the same here. */
export const integrityProblems = (db: Database): readonly string[] =>
  db
    .prepare('PRAGMA integrity_check(10)')
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => line !== 'ok')

/** Somebody else's tables or views are their business; a trigger or a change of ours would alter what we store. */
export const checkSchema = (db: Database, file: string): void => {
  const found = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'").all()
  const trigger = found.find((row) => row.type === 'trigger')
  if (trigger) throw storeCorrupt(file, `it has a trigger '${String(trigger.name).slice(0, 64)}' that is not ours`)
  const sqlOf = new Map(found.map((row) => [row.name, row.sql]))
  for (const [name, sql] of Object.entries(objects)) {
    if (!sqlOf.has(name)) throw storeCorrupt(file, `'${name}' is missing in it`)
    if (sqlOf.get(name) !== sql) throw storeCorrupt(file, `'${name}' in it has another shape than we made`)
  }
}

/** Tools and tags that disagree, by tool id. */
export const tagProblems = (db: Database): readonly string[] =>
  db
    .prepare(
      `SELECT id FROM (
         SELECT tools.id AS id, json_each.value AS tag FROM tools, json_each(tools.traits, '$.tags')
         EXCEPT SELECT tool_id, tag FROM tags)
       UNION
       SELECT id FROM (
         SELECT tool_id AS id, tag FROM tags
         EXCEPT SELECT tools.id, json_each.value FROM tools, json_each(tools.traits, '$.tags'))
       LIMIT 10`,
    )
    .all()
    .map((row) => `the tags of tool '${String(row.id).slice(0, 128)}' are not those it was stored with`)

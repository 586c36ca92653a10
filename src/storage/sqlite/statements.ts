import type { StoredTool } from '../store.js'
import type { Change } from '../tool-set.js'
import type { Database } from './driver.js'
import { columns, rowSql, toRow } from './rows.js'

const update = columns.slice(1).map((column) => `${column} = excluded.${column}`)

const putSql =
  `INSERT INTO tools (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ` +
  `ON CONFLICT (id) DO UPDATE SET ${update.join(', ')}`

/** All tools by id; those of one temperature, most used first; those with one tag, by id. */
export const queries = {
  all: `SELECT ${rowSql} FROM tools ORDER BY tools.id`,
  byTemperature: `SELECT ${rowSql} FROM tools WHERE temperature = ? ORDER BY tools.use_count DESC, tools.id LIMIT ?`,
  byTag: `SELECT ${rowSql} FROM tags CROSS JOIN tools ON id = tool_id WHERE tag = ? ORDER BY tool_id`,
} as const

/** Adds or replaces these tools and their tags, inside the caller's transaction. */
export const putTools = (db: Database, seed: string, tools: readonly StoredTool[]): void => {
  const put = db.prepare(putSql)
  const untag = db.prepare('DELETE FROM tags WHERE tool_id = ?')
  const tag = db.prepare('INSERT INTO tags (tag, tool_id) VALUES (?, ?)')
  for (const tool of tools) {
    put.run(...toRow(tool, seed))
    untag.run(tool.id)
    for (const name of tool.tags) tag.run(name, tool.id)
  }
}

/** True if it did anything. */
export const applyChange = (db: Database, seed: string, change: Change): boolean => {
  if (change.type === 'put') {
    putTools(db, seed, change.tools)
    return change.tools.length > 0
  }
  db.prepare('DELETE FROM tags WHERE tool_id = ?').run(change.id)
  return db.prepare('DELETE FROM tools WHERE id = ?').run(change.id) > 0
}

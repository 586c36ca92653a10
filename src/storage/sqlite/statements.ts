import type { StoredTool } from '../store.js'
import type { Change } from '../tool-set.js'
import type { Database } from './driver.js'
import { columns, toRow } from './rows.js'

const update = columns.slice(1).map((column) => `${column} = excluded.${column}`)

const putSql =
  `INSERT INTO tools (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ` +
  `ON CONFLICT (id) DO UPDATE SET ${update.join(', ')}`

/** Adds or replaces these tools and their tags, inside the caller's transaction. */
export const putTools = (db: Database, seed: string, tools: readonly StoredTool[]): void => {
  if (tools.length === 0) return
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

/** All tools by id; those of one temperature, most used first; those with one tag, by id. */
export const queries = {
  all: `SELECT ${columns.join(', ')} FROM tools ORDER BY id`,
  byTemperature: `SELECT ${columns.join(', ')} FROM tools WHERE temperature = ? ORDER BY use_count DESC, id LIMIT ?`,
  byTag: `SELECT ${columns.map((column) => `tools.${column}`).join(', ')} FROM tags CROSS JOIN tools ON tools.id = tags.tool_id WHERE tags.tag = ? ORDER BY tags.tool_id`,
} as const

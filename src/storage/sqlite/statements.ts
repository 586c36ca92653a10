import { mergedTool, withUses } from '../merge.js'
import type { StoredTool, ToolSelection } from '../store.js'
import type { StoreChange } from '../tool-set.js'
import type { Database, SqlValue } from './driver.js'
import { columns, fromRow, rowSql, toRow } from './rows.js'
import { asText } from './text.js'

const update = columns.slice(1).map((column) => `${column} = excluded.${column}`)

const putSql =
  `INSERT INTO tools (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ` +
  `ON CONFLICT (id) DO UPDATE SET ${update.join(', ')}`

/** All tools by id; those of one temperature, most used first; those with one tag, by id. */
export const queries = {
  all: `SELECT ${rowSql} FROM tools ORDER BY tools.id`,
  byTemperature: `SELECT ${rowSql} FROM tools WHERE temperature = ? ORDER BY tools.use_count DESC, tools.id LIMIT ?`,
  one: `SELECT ${rowSql} FROM tools WHERE id = ?`,
  uses: `SELECT ${asText('id')}, CAST(use_count AS INTEGER) AS use_count, CAST(last_used AS INTEGER) AS last_used FROM tools WHERE use_count > 0`,
  byTag: `SELECT ${rowSql} FROM tags CROSS JOIN tools ON id = tool_id WHERE tag = ? ORDER BY tool_id`,
} as const

/** The query for a part of the tools, and what to bind to it. */
export const selectionQuery = (selection: ToolSelection): readonly [string, ...SqlValue[]] => {
  const { source, notSource, temperature, after, limit } = selection
  // A page is read along the ids: by temperature all of that temperature would be sorted for each.
  const byTemperature = limit === undefined ? 'temperature = ?' : '+temperature = ?'
  const wanted: readonly (readonly [string, SqlValue | undefined])[] = [
    ['source = ?', source],
    ['source <> ?', notSource],
    [byTemperature, temperature],
    ['tools.id > ?', after],
  ]
  const given = wanted.filter((each): each is readonly [string, SqlValue] => each[1] !== undefined)
  const where = given.length === 0 ? '' : ` WHERE ${given.map(([condition]) => condition).join(' AND ')}`
  return [
    `SELECT ${rowSql} FROM tools${where} ORDER BY tools.id LIMIT ?`,
    ...given.map(([, value]) => value),
    limit ?? -1,
  ]
}

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
export const applyChange = (db: Database, seed: string, file: string, change: StoreChange): boolean => {
  if (change.type === 'merge') return merge(db, seed, file, change)
  if (change.type === 'put') {
    putTools(db, seed, change.tools)
    return change.tools.length > 0
  }
  db.prepare('DELETE FROM tags WHERE tool_id = ?').run(change.id)
  return db.prepare('DELETE FROM tools WHERE id = ?').run(change.id) > 0
}

const merge = (
  db: Database,
  seed: string,
  file: string,
  { tools, uses }: Extract<StoreChange, { readonly type: 'merge' }>,
): boolean => {
  const known = (id: string): StoredTool | undefined =>
    db
      .prepare(queries.one)
      .all(id)
      .map((row) => fromRow(row, seed, file))[0]
  putTools(
    db,
    seed,
    tools.map((tool) => mergedTool(known(tool.id), tool)),
  )
  // One by one, since a tool may be among both.
  const counted = uses.filter((each) => {
    const tool = known(each.id)
    if (tool) putTools(db, seed, [withUses(tool, each)])
    return tool !== undefined
  })
  return tools.length + counted.length > 0
}

import { checkKind } from '../documents.js'
import type { StoredTool, StoreReader, ToolSelection } from '../store.js'
import type { Postgres, Query } from './connection.js'
import { documentReader } from './documents.js'
import { isUnmade } from './problems.js'
import { rowsAtOnce, selectionQuery, toolOf } from './tool-rows.js'

/** For those who only look: where nothing was ever made there is nothing, and nothing is made. */
export const readPostgresStore = (database: Postgres): StoreReader => {
  const query: Query = async (text, values) => {
    try {
      return await database.look(text, values)
    } catch (error) {
      if (isUnmade((error as Error).cause)) return []
      throw error
    }
  }
  return {
    load: () => selectTools(query, database, {}),
    select: (selection) => selectTools(query, database, selection),
    documents: (kind) => documentReader(query, database.tables, checkKind(kind)),
  }
}

/** Part by part along the ids: a statement must not take longer than we wait, however many tools there are. */
export const selectTools = async (
  query: Query,
  { tables }: Pick<Postgres, 'tables'>,
  selection: ToolSelection,
): Promise<readonly StoredTool[]> => {
  const found: StoredTool[] = []
  let { after } = selection
  for (;;) {
    const limit = Math.min(rowsAtOnce, (selection.limit ?? Number.POSITIVE_INFINITY) - found.length)
    if (limit <= 0) return found
    const rows = await query(...selectionQuery(tables, { ...selection, after, limit }))
    for (const row of rows) found.push(toolOf(row))
    if (rows.length < limit) return found
    after = String(rows.at(-1)?.id)
  }
}

import { storeCorrupt } from '../problems.js'
import type { StoredTool } from '../store.js'
import { documentOf, documentQueries } from './document-rows.js'
import type { Database } from './driver.js'
import { readProblem } from './problems.js'
import { fromRow } from './rows.js'
import { objects } from './schema.js'
import { queries } from './statements.js'
import { asText, textOf } from './text.js'

/** The whole check takes about 2 ms per megabyte; larger files are checked by `validate()` and row by row when read. */
export const checkedAtOpenBytes = 64 * 1024 * 1024

/** SQLite's own full check. Not `quick_check`: that one does not compare indexes with tables, and costs the same here. */
export const integrityProblems = (db: Database, file: string): readonly string[] =>
  db
    .prepare(`SELECT ${asText('integrity_check')} FROM pragma_integrity_check LIMIT 10`)
    .all()
    .map((row) => textOf(row.integrity_check, file))
    .filter((line) => line !== 'ok')

/** Somebody else's tables or views are their business; a trigger or a change of ours would alter what we store. */
export const checkSchema = (db: Database, file: string): void => {
  const found = db
    .prepare(`SELECT type = 'trigger' AS is_trigger, ${asText('name')}, ${asText('sql')} FROM sqlite_schema`)
    .all()
  const trigger = found.find((row) => row.is_trigger === 1)
  if (trigger)
    throw storeCorrupt(file, `it has a trigger '${textOf(trigger.name, file).slice(0, 64)}' that is not ours`)
  const sqlOf = new Map(found.map((row) => [textOf(row.name, file), row.sql]))
  for (const [name, sql] of Object.entries(objects)) {
    if (!sqlOf.has(name)) throw storeCorrupt(file, `'${name}' is missing in it`)
    if (textOf(sqlOf.get(name), file) !== sql)
      throw storeCorrupt(file, `'${name}' in it has another shape than we made`)
  }
}

/** Rows that are not as they were written, and tags that disagree with the tools they belong to. */
export const contentProblems = (db: Database, seed: string, file: string): readonly string[] => {
  const problems: string[] = []
  const tools = db
    .prepare(queries.all)
    .all()
    .flatMap((row): readonly StoredTool[] => {
      try {
        return [fromRow(row, seed, file)]
      } catch (error) {
        problems.push(readProblem(file, error).message)
        return []
      }
    })
  return [...problems, ...tagProblems(db, tools, file), ...documentProblems(db, seed, file)]
}

const documentProblems = (db: Database, seed: string, file: string): readonly string[] =>
  db
    .prepare(documentQueries.all)
    .all()
    .flatMap((row) => {
      try {
        documentOf(row, seed, file)
        return []
      } catch (error) {
        return [readProblem(file, error).message]
      }
    })

const tagProblems = (db: Database, tools: readonly StoredTool[], file: string): readonly string[] => {
  const expected = new Set(tools.flatMap((tool) => tool.tags.map((tag) => `${tag}\0${tool.id}`)))
  const found = new Set(
    db
      .prepare(`SELECT ${asText('tag || char(0) || tool_id', 'pair')} FROM tags`)
      .all()
      .map((row) => textOf(row.pair, file)),
  )
  const differing = [...expected]
    .filter((pair) => !found.has(pair))
    .concat([...found].filter((pair) => !expected.has(pair)))
  const ids = new Set(differing.map((pair) => pair.slice(pair.indexOf('\0') + 1)))
  return [...ids].slice(0, 10).map((id) => `the tags of tool '${id.slice(0, 128)}' are not those it was stored with`)
}

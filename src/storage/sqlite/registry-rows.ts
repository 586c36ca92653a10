import { isGatewayError } from '../../errors.js'
import { storeCorrupt } from '../problems.js'
import { parseRegistryTool } from '../registry-tools.js'
import type { StoredTool } from '../store.js'
import type { Database, Row } from './driver.js'
import { asText, textOf } from './text.js'

// Ten or eleven columns: the older shape has no temperature. Two hold numbers, three JSON.
const numberColumns = ['defer_loading', 'use_frequency']
const jsonColumns = ['tags', 'input_schema', 'output_schema']
const plainColumns = ['name', 'description', 'mcp_server', 'category', 'last_used', 'temperature']
const requiredColumns = ['name', 'description', 'use_frequency', 'last_used']

/** The columns of RegistryTools' table that are there; undefined when it is no such table. */
export const registryColumnsOf = (db: Database, file: string): readonly string[] | undefined => {
  const found = db
    .prepare(`SELECT ${asText('name')} FROM pragma_table_info('tools')`)
    .all()
    .map((row) => textOf(row.name, file))
  if (!requiredColumns.every((column) => found.includes(column))) return undefined
  return [...numberColumns, ...jsonColumns, ...plainColumns].filter((column) => found.includes(column))
}

/** All tools of RegistryTools' table, or STORE_CORRUPT naming the row that cannot be read. */
export const registryTools = (db: Database, file: string): readonly StoredTool[] => {
  const columns = registryColumnsOf(db, file) ?? []
  const selected = columns.map((name) =>
    numberColumns.includes(name) ? `CAST(${name} AS INTEGER) AS ${name}` : asText(name),
  )
  const rows = db.prepare(`SELECT ${selected.join(', ')} FROM tools`).all()
  return rows.map((row) => registryRow(row, columns, file))
}

const registryRow = (row: Row, columns: readonly string[], file: string): StoredTool => {
  const texts = columns
    .filter((column) => !numberColumns.includes(column))
    .map((column) => [column, row[column] === null ? null : textOf(row[column], file)] as const)
  try {
    return parseRegistryTool({
      ...Object.fromEntries(
        texts.map(([column, text]) => [column, jsonColumns.includes(column) ? parseJson(text) : text]),
      ),
      use_frequency: row.use_frequency,
      defer_loading: row.defer_loading === null ? null : row.defer_loading !== 0,
    })
  } catch (cause) {
    const reason = isGatewayError(cause)
      ? cause.message.replace(/\.?( It was not stored)?\.$/, '')
      : 'a column is not JSON'
    const name = texts.find(([column]) => column === 'name')?.[1] ?? ''
    throw storeCorrupt(file, `RegistryTools row '${name.slice(0, 128)}': ${reason}`)
  }
}

const parseJson = (text: string | null): unknown => (text === null || text === '' ? null : JSON.parse(text))

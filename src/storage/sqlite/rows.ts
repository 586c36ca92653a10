import type { JsonObject } from '../../model/json.js'
import { storeCorrupt } from '../problems.js'
import type { StoredTool, Temperature } from '../store.js'
import type { Row, SqlValue } from './driver.js'

/** The columns in the order of {@link toRow}. */
export const columns = [
  'id',
  'namespace',
  'source',
  'category',
  'use_count',
  'last_used',
  'temperature',
  'definition',
  'traits',
  'checksum',
] as const

/**
 * What is asked for has a column; the rest travels as JSON. `seed` is the store's own random id: a page that strays in
 * from another database (someone else's write-ahead log, say) carries rows whose checksums do not fit here.
 */
export const toRow = (tool: StoredTool, seed: string): readonly SqlValue[] => {
  const { id, namespace, source, definition, category, useCount, lastUsed, temperature, ...traits } = tool
  const values = [
    id,
    namespace,
    source,
    category ?? null,
    useCount,
    lastUsed,
    temperature,
    JSON.stringify(definition),
    JSON.stringify(traits),
  ] as const
  return [...values, checksum(seed, values)]
}

/** Throws STORE_CORRUPT for a row that is not as it was written. SQLite itself does not notice a changed letter. */
export const fromRow = (row: Row, seed: string, file: string): StoredTool => {
  const values = columns.slice(0, -1).map((column) => row[column] ?? null)
  if (checksum(seed, values) !== row.checksum) throw damaged(row, file)
  const traits = JSON.parse(row.traits as string) as JsonObject & { readonly tags: readonly string[] }
  return {
    id: row.id as string,
    namespace: row.namespace as string,
    source: row.source as string,
    definition: JSON.parse(row.definition as string),
    useCount: row.use_count as number,
    lastUsed: row.last_used as number | null,
    temperature: row.temperature as Temperature,
    ...traits,
    ...(row.category === null ? {} : { category: row.category as string }),
  }
}

// FNV-1a over UTF-16 units. Each step is a bijection, so any one changed unit changes the sum; more than that slips
// through once in 2^32. Ten megabytes take about 20 ms, a third of a cryptographic hash per row.
const checksum = (seed: string, values: readonly SqlValue[]): number => {
  let hash = addText(0x811c9dc5, seed)
  for (const value of values) hash = addText(addUnit(hash, value === null ? 0 : 1), String(value ?? ''))
  return hash >>> 0
}

const addText = (hash: number, text: string): number => {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return addUnit(hash, 0xffff)
}

const addUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

const damaged = (row: Row, file: string) =>
  storeCorrupt(file, `the row of tool '${String(row.id ?? '').slice(0, 128)}' is not as it was written`)

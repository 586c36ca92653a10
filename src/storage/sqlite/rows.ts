import { defined, type JsonObject } from '../../model/json.js'
import { storeCorrupt } from '../problems.js'
import type { StoredTool, Temperature } from '../store.js'
import type { Row, SqlValue } from './driver.js'
import { asText, textOf } from './text.js'

const texts = ['id', 'namespace', 'source', 'category', 'temperature', 'traits', 'definition'] as const

/** The columns in the order of {@link toRow}. */
export const columns = [...texts, 'use_count', 'last_used', 'checksum'] as const

/**
 * What to select for {@link fromRow}. All texts travel as one: crossing from SQLite to JavaScript costs more than joining.
 * NUL separates, since no text of ours holds one. Numbers are cast because a damaged cell may hold anything.
 */
export const rowSql = [
  asText(texts.map((column) => `ifnull(${column}, '')`).join(' || char(0) || '), 'packed'),
  'category IS NOT NULL AS has_category',
  ...['use_count', 'last_used', 'checksum'].map((column) => `CAST(${column} AS INTEGER) AS ${column}`),
].join(', ')

/**
 * What is asked for has a column; the rest travels as JSON. `seed` is the store's own random id: a page that strays in
 * from another database (someone else's write-ahead log, say) carries rows whose checksums do not fit here.
 */
export const toRow = (tool: StoredTool, seed: string): readonly SqlValue[] => {
  const { id, namespace, source, definition, category, useCount, lastUsed, temperature, ...traits } = tool
  const parts = [id, namespace, source, category ?? '', temperature, JSON.stringify(traits), JSON.stringify(definition)]
  const sum = checksum(seed, parts.join('\0'), category !== undefined, useCount, lastUsed)
  return [...parts.map((part, n) => (n === 3 ? (category ?? null) : part)), useCount, lastUsed, sum]
}

/** Throws STORE_CORRUPT for a row that is not as it was written. SQLite itself does not notice a changed letter. */
export const fromRow = (row: Row, seed: string, file: string): StoredTool => {
  const packed = textOf(row.packed, file)
  const hasCategory = row.has_category === 1
  const useCount = row.use_count as number
  const lastUsed = row.last_used as number | null
  if (checksum(seed, packed, hasCategory, useCount, lastUsed) !== row.checksum) throw damaged(packed, file)
  const [id, namespace, source, category, temperature, traits, definition] = packed.split('\0') as Texts
  return {
    id,
    namespace,
    source,
    definition: JSON.parse(definition),
    useCount,
    lastUsed,
    temperature: temperature as Temperature,
    ...(JSON.parse(traits) as JsonObject & { readonly tags: readonly string[] }),
    // Users compare what two stores give, so what was never said is no key.
    ...defined({ category: hasCategory ? category : undefined }),
  }
}

type Texts = [string, string, string, string, string, string, string]

// FNV-1a over UTF-16 units. Each step is a bijection, so any one changed unit changes the sum; more than that slips
// through once in 2^32. Ten megabytes take about 20 ms, a third of a cryptographic hash per row.
const checksum = (
  seed: string,
  packed: string,
  hasCategory: boolean,
  useCount: number,
  lastUsed: number | null,
): number => addText(addText(0x811c9dc5, `${seed} ${hasCategory} ${useCount} ${lastUsed}`), packed) >>> 0

/** The same over one text, for rows that are nothing else. */
export const textChecksum = (seed: string, text: string): number => addText(addText(0x811c9dc5, seed), text) >>> 0

const addText = (hash: number, text: string): number => {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

const damaged = (packed: string, file: string) =>
  storeCorrupt(file, `the row of tool '${packed.split('\0', 1)[0]?.slice(0, 128)}' is not as it was written`)

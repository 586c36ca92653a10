import { storeCorrupt } from '../problems.js'
import type { Row } from './driver.js'

/**
 * Selects a text as its bytes. SQLite hands out whatever a damaged cell holds; libsql ends the whole process when that
 * is not UTF-8, and node:sqlite puts U+FFFD in its place, so no text is ever read as one.
 */
export const asText = (expression: string, name = expression): string => `CAST(${expression} AS BLOB) AS ${name}`

/** The text in a column selected with {@link asText}, or STORE_CORRUPT. */
export const textOf = (value: Row[string] | undefined, file: string): string => {
  if (!(value instanceof Uint8Array || value instanceof ArrayBuffer))
    throw storeCorrupt(file, 'it holds something else where a text was written')
  try {
    return decoder.decode(value)
  } catch (cause) {
    throw storeCorrupt(file, 'it holds text that is not UTF-8', { cause })
  }
}

// ignoreBOM: a leading U+FEFF is part of the text here.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

import { fieldNames } from '../index/fields.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { findPosting, type Postings } from '../index/postings.js'

/** The fields of a tool in which any of the matched terms stands, as bits. */
export const matchedFields = (index: LexicalIndex, matched: readonly Postings[], slot: number): number => {
  let fields = 0
  for (const postings of matched) fields |= findPosting(index.arena, postings, slot) >>> 16
  return fields
}

/** Bits in words: `name, description`. */
export const describeFields = (fields: number, meaning = false): string =>
  [...fieldNames.filter((_, bit) => (fields & (1 << bit)) !== 0), ...(meaning ? ['meaning'] : [])].join(', ')

import { fieldNames } from '../index/fields.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { findPosting } from '../index/postings.js'
import type { Concept } from './query.js'

/** The fields in which any way to say one of the concepts stands, as bits. */
export const matchedFields = (index: LexicalIndex, concepts: readonly Concept[], slot: number): number => {
  let fields = 0
  for (const { terms } of concepts) {
    for (const term of terms.keys()) {
      const postings = index.postings(term)
      if (postings) fields |= findPosting(index.arena, postings, slot) >>> 16
    }
  }
  return fields
}

/** Bits in words: `name, description`. */
export const describeFields = (fields: number, meaning = false): string =>
  [...fieldNames.filter((_, bit) => (fields & (1 << bit)) !== 0), ...(meaning ? ['meaning'] : [])].join(', ')

import { type FieldName, fieldNames } from '../index/fields.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { findPosting } from '../index/postings.js'
import type { ConceptScores, FoundConcept } from './score.js'

/** Which shares of a query's needs a tool has at all, however prominently: what a score by prominence cannot tell. */
export interface Coverage {
  readonly covered: number
  /** By the very words of the query. */
  readonly exact: number
  /** In its name, title or aliases. */
  readonly named: number
  /** In the name of its source. */
  readonly sourced: number
}

const bitsOf = (...fields: readonly FieldName[]): number =>
  fields.reduce((bits, field) => bits | (1 << fieldNames.indexOf(field)), 0)

const nameBits = bitsOf('name', 'title', 'alias')
const sourceBits = bitsOf('source')

/** Looks one tool up in the postings of every need: for the few that may be shown, not for all that matched. */
export const coverageOf = (
  index: LexicalIndex,
  { found, ceiling }: Pick<ConceptScores, 'found' | 'ceiling'>,
  slot: number,
): Coverage => {
  const sums = { covered: 0, exact: 0, named: 0, sourced: 0 }
  for (const need of found) {
    const { fields, share } = lookUp(index, need, slot)
    if (fields === 0) continue
    const part = (need.most * share) / ceiling
    sums.covered += part
    if (share === 1) sums.exact += part
    if ((fields & nameBits) !== 0) sums.named += part
    if ((fields & sourceBits) !== 0) sums.sourced += part
  }
  return sums
}

/** The fields in which the tool meets the need, as bits, and the share of the best word it does so with. */
const lookUp = (index: LexicalIndex, { terms }: FoundConcept, slot: number) => {
  let fields = 0
  let share = 0
  for (const term of terms) {
    const bits = findPosting(index.arena, term.postings, slot) >>> 16
    if (bits === 0) continue
    fields |= bits
    share = Math.max(share, term.share)
  }
  return { fields, share }
}

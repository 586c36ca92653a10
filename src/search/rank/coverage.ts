import { fieldBits } from '../index/fields.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { findPosting } from '../index/postings.js'
import type { ConceptScores } from './score.js'

/** Which shares of a query's needs a tool has at all, however prominently: what a score by prominence cannot tell. */
export interface Coverage {
  readonly covered: number
  /** By the very words of the query. */
  readonly exact: number
  /** In its name, title or aliases. */
  readonly named: number
  /** In the name of its source. */
  readonly sourced: number
  /** Needs that are small talk. */
  readonly talk: number
}

const nameBits = fieldBits('name', 'title', 'alias')
const sourceBits = fieldBits('source')

/** Looks one tool up in the postings of every need: for the few that may be shown, not for all that matched. */
export const coverageOf = (
  index: LexicalIndex,
  { found, ceiling }: Pick<ConceptScores, 'found' | 'ceiling'>,
  slot: number,
): Coverage => {
  const sums = { covered: 0, exact: 0, named: 0, sourced: 0, talk: 0 }
  for (const { terms, most, isTalk } of found) {
    // Looked up in place: an object for each need and tool kept the garbage collector busier than all the rest.
    let fields = 0
    let share = 0
    for (const term of terms) {
      const bits = findPosting(index.arena, term.postings, slot) >>> 16
      fields |= bits
      if (bits !== 0 && term.share > share) share = term.share
    }
    if (fields === 0) continue
    const part = (most * share) / ceiling
    sums.covered += part
    if (share === 1) sums.exact += part
    if ((fields & nameBits) !== 0) sums.named += part
    if ((fields & sourceBits) !== 0) sums.sourced += part
    if (isTalk) sums.talk += part
  }
  return sums
}

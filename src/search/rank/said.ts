import type { LexicalIndex } from '../index/lexical-index.js'
import type { Postings } from '../index/postings.js'
import type { ConceptScores } from './score.js'

/**
 * How much of what a tool says of itself the query says too. A score is a share of the query: where that asks for three
 * tools each right one covers a third, and a long-winded tool that touches all of it would stand first.
 */
export interface SaidShares {
  /** Of its description. */
  readonly said: number
  /** Of its name and title. */
  readonly nameSaid: number
}

/** Asks tools one by one how much of their own words a query says, rare words counting more. */
export const createSaid = (
  index: LexicalIndex,
  { found, rarity }: Pick<ConceptScores, 'found' | 'rarity'>,
): ((slot: number) => SaidShares) => {
  const shares = new Map<number, number>()
  for (const { terms } of found) {
    for (const { postings, share } of terms) shares.set(postings.id, Math.max(shares.get(postings.id) ?? 0, share))
  }
  // In an array: numbers that a function within a function adds to would be made anew each time.
  const sums = new Float64Array(4)
  const add = (postings: Postings, inDescription: boolean, inName: boolean): void => {
    const rare = rarity(postings)
    const said = rare * (shares.get(postings.id) ?? 0)
    if (inDescription) {
      sums[0]! += rare
      sums[1]! += said
    }
    if (inName) {
      sums[2]! += rare
      sums[3]! += said
    }
  }
  return (slot) => {
    sums.fill(0)
    index.eachOwnTerm(slot, add)
    return { said: shareOf(sums[1]!, sums[0]!), nameSaid: shareOf(sums[3]!, sums[2]!) }
  }
}

const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0)

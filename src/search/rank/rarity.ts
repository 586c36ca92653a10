import type { LexicalIndex } from '../index/lexical-index.js'
import type { Postings } from '../index/postings.js'
import type { VisibleSlots } from './view.js'

/** How rare a term is among the tools somebody sees: its inverse frequency, 0 where none of them has it. */
export type Rarity = (postings: Postings) => number

/** What a term has that is in `count` of `size` tools. */
export const inverseFrequency = (size: number, count: number): number =>
  Math.log(1 + (size - count + 0.5) / (count + 0.5))

/** Counting what a view shows takes a walk over all that have the term, so it is done once for each view. */
export const createRarities = (index: LexicalIndex): ((view: VisibleSlots | undefined) => Rarity) => {
  const views = new WeakMap<VisibleSlots, Map<number, number>>()
  return (view) => {
    if (!view) return ({ count }) => inverseFrequency(index.size, count)
    const known = views.get(view) ?? new Map<number, number>()
    views.set(view, known)
    return (postings) => {
      const rarity = known.get(postings.id) ?? rarityIn(index, view, postings)
      known.set(postings.id, rarity)
      return rarity
    }
  }
}

const rarityIn = (index: LexicalIndex, { visible, size }: VisibleSlots, postings: Postings): number => {
  const list = index.arena.segment(postings.block)
  const { offset } = postings.block
  let count = 0
  for (let i = 0; i < postings.count; i++) count += visible[list[offset + 2 * i]!]!
  return count === 0 ? 0 : inverseFrequency(size, count)
}

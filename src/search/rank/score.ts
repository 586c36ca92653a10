import { impactUnit } from '../index/impact.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import type { Postings } from '../index/postings.js'
import type { Concept } from './query.js'
import type { View } from './view.js'

/** Scores of a search by slot, as shares of the query's ceiling; 0 where nothing matched. */
export interface Scores {
  readonly values: Float64Array
  /** Slots with a score, in no order. */
  readonly touched: readonly number[]
}

const han = /^\p{Script=Han}/u

export const scoreConcepts = (index: LexicalIndex, concepts: readonly Concept[], view: View | undefined): Scores => {
  const values = new Float64Array(index.slots)
  const touched: number[] = []
  const size = view?.size ?? index.size
  const foreign = concepts.some(({ terms }) => [...terms.keys()].some((t) => !han.test(t)))
  let ceiling = 0
  for (const { terms, weight } of concepts) {
    for (const [term, share] of terms) {
      const postings = index.postings(term)
      const found = postings ? countVisible(index, postings, view) : 0
      const idf = Math.log(1 + (size - found + 0.5) / (found + 0.5))
      if (found > 0 || !(foreign && han.test(term))) {
        if (found > 0 || share === 1) ceiling += idf * weight * share
      }
      if (!postings || found === 0) continue
      add(index, postings, view, (idf * weight * share) / impactUnit, values, touched)
    }
  }
  for (const slot of touched) values[slot]! /= ceiling || 1
  return { values, touched }
}

const countVisible = (index: LexicalIndex, postings: Postings, view: View | undefined): number => {
  if (!view) return postings.count
  const list = index.arena.segment(postings.block)
  const { offset } = postings.block
  let count = 0
  for (let i = 0; i < postings.count; i++) count += view.visible[list[offset + 2 * i]!]!
  return count
}

const add = (
  index: LexicalIndex,
  postings: Postings,
  view: View | undefined,
  factor: number,
  values: Float64Array,
  touched: number[],
): void => {
  const list = index.arena.segment(postings.block)
  const end = postings.block.offset + 2 * postings.count
  for (let at = postings.block.offset; at < end; at += 2) {
    const slot = list[at]!
    if (view && view.visible[slot] === 0) continue
    const before = values[slot]!
    if (before === 0) touched.push(slot)
    values[slot] = before + factor * (list[at + 1]! & 0xffff)
  }
}

import { impactUnit } from '../index/impact.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import type { Postings } from '../index/postings.js'
import type { Concept } from './query.js'
import { createRarities, inverseFrequency, type Rarity } from './rarity.js'
import type { VisibleSlots } from './view.js'

/** Scores of a search by slot, as shares of the query's ceiling; 0 where nothing matched. */
export interface Scores {
  readonly values: Float64Array
  /** Slots with a score, in no order. */
  readonly touched: readonly number[]
}

export interface ConceptScores extends Scores {
  /** Of every term that some visible tool has, for explaining a result. */
  readonly matched: readonly Postings[]
  /** The concepts of which some visible tool has a term, for looking closer at a few. */
  readonly found: readonly FoundConcept[]
  /** What a tool that answers everything would reach. */
  readonly ceiling: number
  /** How rare terms are among the visible tools. */
  readonly rarity: Rarity
}

/** A need of the query that some tool meets. */
export interface FoundConcept {
  readonly terms: readonly FoundTerm[]
  /** Its part of the ceiling. */
  readonly most: number
  readonly isTalk: boolean
}

/**
 * BM25F, each concept by its best term, divided by what a tool could reach at most: every concept at its full inverse
 * frequency, words no tool has at the highest. So a score is the covered share of the query, and means the same for
 * every query. What `score` returned is valid until its next call: the arrays are used again.
 */
export const createScorer = (index: LexicalIndex) => {
  const rarities = createRarities(index)
  let values = new Float64Array(0)
  let best = new Float64Array(0)
  let touched: number[] = []

  const clear = (): void => {
    for (const slot of touched) values[slot] = 0
    touched = []
    if (values.length >= index.slots) return
    values = new Float64Array(index.slots * 2)
    best = new Float64Array(index.slots * 2)
  }

  const addConcept = (terms: readonly FoundTerm[], weight: number, view: VisibleSlots | undefined): void => {
    const [only] = terms
    if (terms.length === 1 && only) {
      sumInto(index, only, weight, view, values, touched)
      return
    }
    const seen: number[] = []
    for (const term of terms) maxInto(index, term, weight, view, best, seen)
    for (const slot of seen) {
      if (values[slot] === 0) touched.push(slot)
      values[slot]! += best[slot]!
      best[slot] = 0
    }
  }

  return (concepts: readonly Concept[], view: VisibleSlots | undefined): ConceptScores => {
    clear()
    const matched: Postings[] = []
    const needs: FoundConcept[] = []
    const rarity = rarities(view)
    const unknown = inverseFrequency(view?.size ?? index.size, 0)
    const translated = concepts.some(({ kind }) => kind === 'translation')
    let ceiling = 0
    for (const { terms, weight, kind, isTalk } of concepts) {
      const found = findTerms(index, terms, rarity)
      const most = weight * found.reduce((largest, { factor }) => Math.max(largest, factor), 0)
      if (found.length > 0) needs.push({ terms: found, most, isTalk })
      // A piece of Chinese that no tool has is no loss where its word was translated.
      if (found.length > 0) ceiling += most
      else if (kind === 'word' || (kind === 'gram' && !translated)) ceiling += weight * unknown
      addConcept(found, weight, view)
      for (const { postings } of found) matched.push(postings)
    }
    for (const slot of touched) values[slot]! /= ceiling
    return { values, touched, matched, found: needs, ceiling, rarity }
  }
}

/** A way to say a need that some tool uses. */
export interface FoundTerm {
  readonly postings: Postings
  /** 1 for the written word, less for a translation or another word for it. */
  readonly share: number
  /** Inverse frequency times the share. */
  readonly factor: number
}

const findTerms = (index: LexicalIndex, terms: ReadonlyMap<string, number>, rarity: Rarity): readonly FoundTerm[] => {
  const found: FoundTerm[] = []
  for (const [term, share] of terms) {
    const postings = index.postings(term)
    const rare = postings ? rarity(postings) : 0
    if (postings && rare > 0) found.push({ postings, share, factor: rare * share })
  }
  return found
}

// The two loops below are the search's time: plain, over typed arrays, without a call inside.

const sumInto = (
  index: LexicalIndex,
  { postings, factor }: FoundTerm,
  weight: number,
  view: VisibleSlots | undefined,
  values: Float64Array,
  touched: number[],
): void => {
  const list = index.arena.segment(postings.block)
  const end = postings.block.offset + 2 * postings.count
  const unit = (factor * weight) / impactUnit
  for (let at = postings.block.offset; at < end; at += 2) {
    const slot = list[at]!
    if (view && view.visible[slot] === 0) continue
    const before = values[slot]!
    if (before === 0) touched.push(slot)
    values[slot] = before + unit * (list[at + 1]! & impactUnit)
  }
}

const maxInto = (
  index: LexicalIndex,
  { postings, factor }: FoundTerm,
  weight: number,
  view: VisibleSlots | undefined,
  best: Float64Array,
  seen: number[],
): void => {
  const list = index.arena.segment(postings.block)
  const end = postings.block.offset + 2 * postings.count
  const unit = (factor * weight) / impactUnit
  for (let at = postings.block.offset; at < end; at += 2) {
    const slot = list[at]!
    if (view && view.visible[slot] === 0) continue
    const value = unit * (list[at + 1]! & impactUnit)
    const before = best[slot]!
    if (before === 0) seen.push(slot)
    if (value > before) best[slot] = value
  }
}

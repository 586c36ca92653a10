import type { LexicalIndex } from '../index/lexical-index.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import { type Concept, conceptsOf, type QueryReach } from './query.js'
import { type ConceptScores, createScorer, type Scores } from './score.js'
import type { VisibleSlots } from './view.js'

export interface LexicalQuery {
  readonly text: string
  readonly reach: QueryReach
  readonly view: VisibleSlots | undefined
}

export interface LexicalScores extends ConceptScores {
  readonly concepts: readonly Concept[]
}

/** Scores every visible tool that shares a word with the query, directly or by another word for the same. */
export type LexicalScorer = (query: LexicalQuery) => LexicalScores

/** What a scorer returned is valid until its next call. */
export const createLexicalScorer = (index: LexicalIndex, lexicon: Lexicon): LexicalScorer => {
  const score = createScorer(index)
  return ({ text, reach, view }) => {
    const concepts = conceptsOf(text, lexicon, reach)
    const scores = score(concepts, view)
    if (reach === 'related') addVotes(index, scores)
    return { ...scores, concepts }
  }
}

// Small: it decides between tools that match about alike.
const share = 0.2
const voters = 3

/** The best tools of a source speak for its others: a query that names no service still often stays within one. */
const addVotes = (index: LexicalIndex, { values, touched }: Scores): void => {
  const { sourceOf } = index
  const best = new Float64Array(index.sources * voters)
  for (const slot of touched) keepBest(best, sourceOf[slot]! * voters, values[slot]!)
  for (const slot of touched) {
    const at = sourceOf[slot]! * voters
    let votes = 0
    for (let i = 0; i < voters; i++) votes += best[at + i]!
    values[slot] = (values[slot]! + (share * votes) / voters) / (1 + share)
  }
}

/** Keeps the largest of a source, the smallest of them first. */
const keepBest = (best: Float64Array, at: number, value: number): void => {
  if (value <= best[at]!) return
  let place = at
  while (place + 1 < at + voters && best[place + 1]! < value) {
    best[place] = best[place + 1]!
    place += 1
  }
  best[place] = value
}

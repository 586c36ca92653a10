import type { LexicalIndex } from '../index/lexical-index.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import { type Concept, conceptsOf, type QueryReach } from './query.js'
import { type ConceptScores, createScorer } from './score.js'
import { addVotes } from './source-vote.js'
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

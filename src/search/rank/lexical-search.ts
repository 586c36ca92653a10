import type { ToolId } from '../../model/tool.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import { type Concept, conceptsOf } from './query.js'
import { type Scores, scoreConcepts } from './score.js'
import { addVotes } from './source-vote.js'
import type { View } from './view.js'

export interface LexicalQuery {
  readonly text: string
  /** `words` are those of the query and their translations; `related` adds what else people call it, and votes. */
  readonly reach: 'words' | 'related'
  readonly view: View | undefined
}

export interface LexicalScores extends Scores {
  readonly concepts: readonly Concept[]
}

/** Scores every visible tool that shares a word with the query, directly or by another word for the same. */
export const scoreLexically = (index: LexicalIndex, lexicon: Lexicon, query: LexicalQuery): LexicalScores => {
  const concepts = conceptsOf(query.text, lexicon, query.reach)
  const scores = scoreConcepts(index, concepts, query.view)
  if (query.reach === 'related') addVotes(index, scores)
  return { ...scores, concepts }
}

export type Usage = ((id: ToolId) => number) | undefined

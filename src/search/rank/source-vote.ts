import type { LexicalIndex } from '../index/lexical-index.js'
import type { Scores } from './score.js'

// Small: it decides between tools that match about alike.
const share = 0.2
const voters = 3

/** The best tools of a source speak for its others: a query that names no service still often stays within one. */
export const addVotes = (index: LexicalIndex, { values, touched }: Scores): void => {
  if (index.sources < 2) return
  const best = new Map<number, number[]>()
  for (const slot of touched) {
    const source = index.source(slot)
    const votes = best.get(source)
    if (votes) keepBest(votes, values[slot]!)
    else best.set(source, [values[slot]!])
  }
  for (const slot of touched) {
    const votes = best.get(index.source(slot))!
    const vote = votes.reduce((sum, value) => sum + value, 0) / voters
    values[slot] = (values[slot]! + share * vote) / (1 + share)
  }
}

const keepBest = (votes: number[], value: number): void => {
  if (votes.length < voters) {
    votes.push(value)
    return
  }
  let least = 0
  for (let i = 1; i < voters; i++) if (votes[i]! < votes[least]!) least = i
  if (value > votes[least]!) votes[least] = value
}

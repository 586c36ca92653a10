import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RankingFeatures } from '../embedding/ranking.js'
import { rankingWeights } from './data/ranking-weights.js'
import { builtInRanking, createRanking, rankingTerms } from './ranking.js'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const anyFeatures: fc.Arbitrary<RankingFeatures> = fc.record({
  lexical: share,
  covered: share,
  exact: share,
  named: share,
  sourced: share,
  talk: share,
  said: share,
  nameSaid: share,
  wordByWord: share,
  action: fc.double({ min: -1, max: 1, noNaN: true }),
  similarity: share,
  clause: share,
  sourceSimilarity: share,
  queryIsChinese: fc.boolean(),
  toolIsChinese: fc.boolean(),
  bestLexical: share,
  bestSimilarity: share,
  concepts: fc.nat(300),
})

const nothing: RankingFeatures = {
  lexical: 0,
  covered: 0,
  exact: 0,
  named: 0,
  sourced: 0,
  talk: 0,
  said: 0,
  nameSaid: 0,
  wordByWord: 0,
  action: 0,
  similarity: 0,
  clause: 0,
  sourceSimilarity: 0,
  queryIsChinese: false,
  toolIsChinese: false,
  bestLexical: 0.8,
  bestSimilarity: 0.8,
  concepts: 3,
}

describe('the learned ranking', () => {
  it('is made of terms it knows, words first', () => {
    expect(Object.keys(rankingTerms)).toEqual(expect.arrayContaining(Object.keys(rankingWeights)))
    const { lexical, ...others } = rankingWeights
    for (const weight of Object.values(others)) expect(Math.abs(weight)).toBeLessThan(lexical)
  })

  it('gives every tool a score from 0 to 1', () => {
    fc.assert(
      fc.property(anyFeatures, (features) => {
        const score = builtInRanking(features)
        expect(score >= 0 && score <= 1).toBe(true)
      }),
    )
  })

  it('does not lose where words match: what has all of them stands before what is merely alike', () => {
    const matched = { ...nothing, lexical: 0.8, covered: 1, exact: 1, named: 1, similarity: 0.3, clause: 0.3 }
    const alike = { ...nothing, similarity: 0.8, clause: 0.8, sourceSimilarity: 0.8 }
    for (const languages of [{}, { queryIsChinese: true, toolIsChinese: true }, { queryIsChinese: true }]) {
      expect(builtInRanking({ ...matched, ...languages })).toBeGreaterThan(builtInRanking({ ...alike, ...languages }))
    }
  })

  it('lets likeness decide between tools whose words match alike', () => {
    const [near, far] = [0.7, 0.2].map((similarity) => ({ ...nothing, lexical: 0.4, covered: 0.5, similarity }))
    expect(builtInRanking(near!)).toBeGreaterThan(builtInRanking(far!))
  })

  it.each(['said', 'wordByWord', 'nameSaid', 'action'] as const)(
    'lets %s decide between tools alike in all else',
    (feature) => {
      const tool = { ...nothing, lexical: 0.4, covered: 0.5, similarity: 0.4 }
      expect(builtInRanking({ ...tool, [feature]: 0.6 })).toBeGreaterThan(builtInRanking({ ...tool, [feature]: 0.2 }))
    },
  )

  it('asks in long queries alone whether the name is said', () => {
    const gain = (concepts: number) => {
      const tool = { ...nothing, lexical: 0.4, concepts }
      return builtInRanking({ ...tool, nameSaid: 1 }) - builtInRanking(tool)
    }
    expect(gain(0)).toBeCloseTo(0)
    expect(gain(30)).toBeGreaterThan(4 * gain(1))
  })

  it('adds up what it was given', () => {
    const rank = createRanking({ lexical: 1, similarity: 0.5, named: -0.25 })
    expect(rank({ ...nothing, lexical: 0.6, similarity: 0.6, named: 0.4 })).toBeCloseTo(0.8 / 1.5)
  })
})

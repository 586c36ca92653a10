import { describe, expect, it } from 'vitest'
import { stem } from '../analyse/stem.js'
import { sharedLexicon } from '../lexicon/lexicon.js'
import { conceptsOf } from './query.js'

const sharesIn = (query: string, reach: 'words' | 'related'): ReadonlyMap<string, number> =>
  new Map(conceptsOf(query, sharedLexicon(), reach).flatMap(({ terms }) => [...terms]))

describe('what is meant by a query', () => {
  it('is create where a ticket is opened, in either language', () => {
    expect(sharesIn('open a ticket', 'related').get(stem('create'))).toBe(1)
    expect(sharesIn('打开一个合并请求', 'related').get(stem('create'))).toBe(1)
    expect(sharesIn('提个 PR', 'related').get(stem('create'))).toBe(1)
  })

  it('is get where a file is opened', () => {
    const shares = sharesIn('open the file', 'related')
    expect(shares.get('read')).toBe(1)
    expect(shares.get('open')).toBeLessThan(1)
  })

  it('is no part of a query that is matched by its own words', () => {
    expect(sharesIn('open a ticket', 'words').has(stem('create'))).toBe(false)
  })
})

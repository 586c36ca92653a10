import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clausesOf } from './clauses.js'

describe('clauses of a query', () => {
  it('are its parts that may each want a tool', () => {
    expect(clausesOf('book a flight to Oslo and find a hotel, then tell my boss')).toEqual([
      'book a flight to Oslo',
      'find a hotel',
      'tell my boss',
    ])
    expect(clausesOf('查一下明天的天气，然后发邮件给小王')).toEqual(['查一下明天的天气', '发邮件给小王'])
  })

  it('are none where it says one thing, numbers and addresses with dots included', () => {
    for (const query of ['send an email', 'ping 10.0.0.1', 'round 3.5', '查天气', '', 'brand new sandals']) {
      expect(clausesOf(query)).toEqual([])
    }
  })

  it('are few and stand in the query, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (query) => {
        const clauses = clausesOf(query)
        expect(clauses.length === 0 || (clauses.length >= 2 && clauses.length <= 6)).toBe(true)
        for (const clause of clauses) expect(query).toContain(clause)
      }),
    )
  })
})

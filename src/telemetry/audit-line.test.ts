import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeText } from './audit-line.js'

const shapeOf = (value: unknown): unknown => JSON.parse(shapeText(value))

describe('the shape of arguments', () => {
  it('says what they were, not what they said', () => {
    expect(
      shapeOf({ city: 'Oslo', days: 3, tags: ['a', 'b'], none: null, deep: { a: { b: { c: { d: 1 } } } } }),
    ).toEqual({
      city: 'string',
      days: 'number',
      tags: ['string', 2],
      none: 'null',
      deep: { a: { b: { c: 'object' } } },
    })
  })

  it('never holds a value, and stays small', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = shapeText({ secret: 'hunter2-canary', value })
        expect(text).not.toContain('hunter2')
        expect(text.length).toBeLessThan(200_000)
      }),
    )
    expect(
      Object.keys(shapeOf(Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`k${i}`, 1]))) as object),
    ).toHaveLength(33)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  askedOf,
  bucketOf,
  filledSeries,
  filterNames,
  type HistoryView,
  queryOf,
  ranges,
  viewOf,
} from '../../console/src/pages/history-view.js'

const views: fc.Arbitrary<HistoryView> = fc
  .record({
    range: fc.constantFrom(...(Object.keys(ranges) as (keyof typeof ranges)[]), 'own' as const),
    from: fc.nat(2_000_000_000_000),
    length: fc.integer({ min: 1, max: 1_000_000_000 }),
    by: fc.constantFrom('tool' as const, 'source' as const, 'client' as const, 'caller' as const),
    filter: fc.dictionary(fc.constantFrom(...filterNames), fc.string({ minLength: 1 })),
  })
  .map(({ range, from, length, by, filter }) => {
    const until = range === 'own' ? from + length : 0
    return { range, from: range === 'own' ? from : 0, until, by, filter }
  })

describe('what of the history is looked at (G5, G6)', () => {
  it('is all in the address', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(viewOf(queryOf(view))).toEqual({ ...view, filter: { ...view.filter } })
      }),
    )
  })

  it('survives the way through an address', () => {
    fc.assert(
      fc.property(views, (view) => {
        const asked = new URLSearchParams(queryOf(view)).toString()
        expect(viewOf(Object.fromEntries(new URLSearchParams(asked)))).toEqual({ ...view, filter: { ...view.filter } })
      }),
    )
  })

  it('takes what it does not understand for left open', () => {
    expect(viewOf({ range: 'never', by: 'colour', from: 'x', until: '3' })).toMatchObject({ range: '24h', by: 'tool' })
    expect(viewOf({ from: '5', until: '3' })).toMatchObject({ range: '24h' })
  })

  it('is asked with a beginning and an end', () => {
    const asked = new URLSearchParams(askedOf(viewOf({ range: '1h', tool: 'calc.add' }), 10_000_000, { limit: '5' }))
    expect(Object.fromEntries(asked)).toEqual({ from: '6400000', to: '10000000', tool: 'calc.add', limit: '5' })
  })
})

describe('a series for a picture', () => {
  it('has a point for every stretch, with calls or without', () => {
    const bucketMs = bucketOf(0, ranges['1h'])
    expect(bucketMs).toBe(60_000)
    const filled = filledSeries([{ at: 120_000, calls: 3 }], [0, 300_000], bucketMs)
    expect(filled.map(({ at, calls }) => [at, calls])).toEqual([
      [0, undefined],
      [60_000, undefined],
      [120_000, 3],
      [180_000, undefined],
      [240_000, undefined],
    ])
  })

  it('is never longer than a picture can show', () => {
    fc.assert(
      fc.property(fc.nat(1e12), fc.integer({ min: 1, max: 100 * 86_400_000 }), (from, length) => {
        const span = [from, from + length] as const
        expect(filledSeries([], span, bucketOf(...span)).length).toBeLessThanOrEqual(102)
      }),
    )
  })
})

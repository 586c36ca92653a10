import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNewest } from './newest.js'

describe('the newest', () => {
  it('are the end of everything that came, whatever is asked (model: a list that grows)', () => {
    const numbers = fc.array(fc.integer(), { maxLength: 40 })
    const small = fc.integer({ min: 0, max: 45 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 12 }), small, small, (items, most, limit, known) => {
        const newest = createNewest<number>(most)
        for (const [index, item] of items.entries()) expect(newest.push(item)).toBe(index + 1)
        const kept = items.slice(-most)
        expect(newest.last).toBe(items.length)
        expect(newest.list(limit)).toEqual(kept.toReversed().slice(0, limit))
        expect(newest.list(limit, (item) => item > 0)).toEqual(
          kept
            .toReversed()
            .filter((item) => item > 0)
            .slice(0, limit),
        )
        const fresh = items.slice(Math.min(known, items.length))
        const told = limit === 0 ? [] : fresh.slice(-Math.min(limit, most))
        expect(newest.after(known, limit)).toEqual({ items: told, missed: fresh.length - told.length })
      }),
    )
  })
})

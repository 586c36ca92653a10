import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { topSlots } from './top.js'

describe('topSlots', () => {
  it('gives what sorting everything would give', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 80 }),
        fc.integer({ min: 0, max: 15 }),
        (values, count) => {
          const slots = [...values.keys()]
          const before = (a: number, b: number): number => values[b]! - values[a]! || a - b
          expect(topSlots(slots, count, before)).toEqual([...slots].sort(before).slice(0, count))
        },
      ),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRowLists } from './row-lists.js'

describe('lists of rows by slot', () => {
  it('keep what was set last, whatever comes and goes beside it', () => {
    const step = fc.record({
      slot: fc.nat(12),
      rows: fc.option(fc.uniqueArray(fc.nat(65_535), { maxLength: 200 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lists = createRowLists()
        const model = new Map<number, readonly number[]>()
        for (const { slot, rows } of steps) {
          if (rows) lists.set(slot, rows)
          else lists.delete(slot)
          model.set(slot, rows ?? [])
        }
        for (const [slot, rows] of model) expect([...lists.at(slot)]).toEqual(rows)
        expect([...lists.at(99)]).toEqual([])
      }),
    )
  })

  it('take two bytes a row', () => {
    const lists = createRowLists()
    for (let slot = 0; slot < 4_000; slot++)
      lists.set(
        slot,
        Array.from({ length: 64 }, (_, i) => i),
      )
    expect(lists.bytes / 4_000).toBeLessThan(150)
  })
})

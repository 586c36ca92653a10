import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PendingTable } from './pending.js'

describe('requests in flight', () => {
  it('behave as a map under growing ids, whatever comes and goes', () => {
    const step = fc.oneof(fc.constant('add' as const), fc.nat({ max: 500 }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
        const inFlight = new PendingTable<{ id: number }>()
        const model = new Map<number, { id: number }>()
        for (const action of steps) {
          if (action === 'add') {
            const before = inFlight.lastId
            const entry = { id: inFlight.nextId() }
            inFlight.add(entry)
            expect(entry.id).toBeGreaterThan(before)
            model.set(entry.id, entry)
          } else {
            inFlight.delete(action)
            model.delete(action)
          }
          expect(inFlight.size).toBe(model.size)
        }
        for (let id = 0; id <= inFlight.lastId + 1; id++) expect(inFlight.get(id)).toBe(model.get(id))
        expect(new Set(inFlight.values())).toEqual(new Set(model.values()))
      }),
    )
  })

  it('know nothing under an id that is none', () => {
    const inFlight = new PendingTable<{ id: number }>()
    inFlight.add({ id: inFlight.nextId() })
    for (const id of ['1', 1.5, -1, 0, Number.NaN, 2 ** 60, null, undefined, {}])
      expect(inFlight.get(id)).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { Caller } from '../../model/caller.js'
import { KeptResults } from './kept-results.js'

const caller = (id: string, profile?: string): Caller => ({ id, rights: ['call'], profile })
const limits = { keepMs: 1000, keepBytes: 500, keepBytesPerCaller: 200, keepPerCaller: 3 }

describe('results that were cut', () => {
  it('are read by whoever was given them, through the same profile, until their time is over (N11)', async () => {
    const clock = new VirtualClock()
    const kept = new KeptResults(clock, () => limits)
    const { id, bytes } = kept.keep('天气', caller('ann'))!
    expect(bytes).toBe(6)
    expect(kept.find(id, caller('ann'))?.toString()).toBe('天气')
    expect(kept.find(id, caller('ann', 'default'))?.toString()).toBe('天气')
    for (const other of [caller('bob'), caller('ann', 'work')]) expect(kept.find(id, other)).toBeUndefined()
    await clock.advance(999)
    expect(kept.find(id, caller('ann'))).toBeDefined()
    await clock.advance(1)
    expect(kept.find(id, caller('ann'))).toBeUndefined()
    await clock.advance(60_000)
    expect([kept.size, kept.bytes, clock.pendingTimers]).toEqual([0, 0, 0])
  })

  it('are not kept where they are too large, or nothing is', () => {
    const clock = new VirtualClock()
    expect(new KeptResults(clock, () => limits).keep('x'.repeat(201), caller('ann'))).toBeUndefined()
    expect(new KeptResults(clock, () => limits).keep('天'.repeat(67), caller('ann'))).toBeUndefined()
    expect(new KeptResults(clock, () => ({ ...limits, keepMs: 0 })).keep('x', caller('ann'))).toBeUndefined()
  })

  it('never are more than may be, of one caller or of all, and the newest is always there', () => {
    const kept = fc.record({ who: fc.integer({ min: 0, max: 4 }), size: fc.integer({ min: 0, max: 220 }) })
    fc.assert(
      fc.property(fc.array(kept, { maxLength: 60 }), (keeping) => {
        const store = new KeptResults(new VirtualClock(), () => limits)
        const model: { id: string; who: number; size: number }[] = []
        for (const { who, size } of keeping) {
          const handle = store.keep('x'.repeat(size), caller(`c${who}`))
          expect(handle === undefined).toBe(size > 200)
          if (!handle) continue
          model.push({ id: handle.id, who, size })
          const living = model.filter((each) => store.find(each.id, caller(`c${each.who}`)))
          expect(living.at(-1)?.id).toBe(handle.id)
          expect(living.length).toBe(store.size)
          expect(living.reduce((sum, each) => sum + each.size, 0)).toBe(store.bytes)
          expect(store.bytes).toBeLessThanOrEqual(limits.keepBytes)
          for (const each of [0, 1, 2, 3, 4]) {
            const own = living.filter((one) => one.who === each)
            expect(own.length).toBeLessThanOrEqual(limits.keepPerCaller)
            expect(own.reduce((sum, one) => sum + one.size, 0)).toBeLessThanOrEqual(limits.keepBytesPerCaller)
          }
        }
      }),
    )
  })
})

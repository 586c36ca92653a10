import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { RefusalFold } from './audit-refusals.js'
import type { Deed } from './deed.js'

const refusal = (id: string, code = 'UNAUTHENTICATED'): Deed => ({
  ...{ kind: 'refusal', action: 'refuse', outcome: 'refused', code },
  actor: { id, type: 'key' },
})

describe('refusals', () => {
  it('are the first of each kind at once, and the others of a minute as one line', async () => {
    const clock = new VirtualClock()
    const told: Deed[] = []
    const fold = new RefusalFold((deed) => void told.push(deed), clock)
    for (let index = 0; index < 100; index++) fold.add(refusal('a'))
    fold.add(refusal('a', 'ACCESS_DENIED'))
    expect(told.map(({ code, count }) => [code, count])).toEqual([
      ['UNAUTHENTICATED', undefined],
      ['ACCESS_DENIED', undefined],
    ])
    await clock.advance(60_000)
    expect(told.slice(2)).toEqual([{ ...refusal('a'), count: 99 }])
    fold.add(refusal('a'))
    fold.flush()
    expect([told.length, clock.pendingTimers]).toEqual([4, 0])
  })

  it('of more callers than anybody would read are told together', () => {
    const told: Deed[] = []
    const fold = new RefusalFold((deed) => void told.push(deed), new VirtualClock())
    for (let index = 0; index < 5000; index++) fold.add(refusal(`k${index}`))
    fold.flush()
    expect(told).toHaveLength(1002)
    expect(told.at(-1)).toMatchObject({ actor: { id: 'many' }, count: 3999 })
  })
})

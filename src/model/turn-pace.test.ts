import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { TurnPace } from './turn-pace.js'

describe('a row of work (S4)', () => {
  it('is not interrupted while it takes little, or while others had their time anyway', async () => {
    const clock = new VirtualClock()
    const pace = new TurnPace(clock)
    pace.worked(4)
    pace.worked(5)
    expect(pace.isSpent).toBe(false)
    await clock.advance(1000)
    pace.worked(9)
    expect(pace.isSpent).toBe(false)
  })

  it('rests after a moment, for longer than it worked, and of several who rest one begins the next turn', async () => {
    const clock = new VirtualClock()
    const pace = new TurnPace(clock)
    pace.worked(20)
    const begun: string[] = []
    const next = async (name: string): Promise<void> => {
      await pace.rest()
      begun.push(name)
      pace.worked(20)
    }
    const both = Promise.all([next('first'), next('second')])
    await clock.advance(59)
    expect([pace.isSpent, begun]).toEqual([true, []])
    await clock.advance(1)
    expect(begun).toEqual(['first'])
    await clock.advance(60)
    await both
    expect(begun).toEqual(['first', 'second'])
  })
})

import { describe, expect, it } from 'vitest'
import { TurnPace } from './turn-pace.js'

describe('a row of work (S4)', () => {
  it('is not interrupted while it takes little, or while others had their time anyway', () => {
    const pace = new TurnPace()
    pace.worked(4)
    pace.worked(5)
    expect(pace.isSpent).toBe(false)
  })

  it('rests after a moment, for longer than it worked, and of several who rest one begins the next turn', async () => {
    const pace = new TurnPace()
    pace.worked(20)
    expect(pace.isSpent).toBe(true)
    const startedAt = performance.now()
    let first = true
    const next = async (): Promise<boolean> => {
      await pace.rest()
      if (!first) return pace.isSpent
      first = false
      pace.worked(20)
      return true
    }
    expect(await Promise.all([next(), next()])).toEqual([true, false])
    expect(performance.now() - startedAt).toBeGreaterThan(2 * 55)
  })
})

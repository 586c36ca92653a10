import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle, VirtualClock } from '../../test/helpers/virtual-clock.js'
import { BatchShip } from './audit-ship.js'

/** A far end that is away when it is told to be. */
const farEnd = () => {
  const taken: string[] = []
  const said: string[] = []
  const clock = new VirtualClock()
  const end = { isAway: false, calls: 0 }
  const ship = new BatchShip({
    name: 'there',
    clock,
    maxWaitingBytes: 1000,
    send: async (lines) => {
      end.calls += 1
      if (end.isAway) throw new Error('away')
      taken.push(...lines)
    },
    on: {
      trouble: () => void said.push('trouble'),
      again: () => void said.push('again'),
      lost: (_, count) => void said.push(`lost ${count}`),
    },
  })
  return { ship, clock, taken, said, end }
}

describe('lines on their way elsewhere', () => {
  it('arrive in batches and in their order', async () => {
    const { ship, clock, taken, end } = farEnd()
    for (let index = 0; index < 10; index++) ship.take(`line ${index}`)
    expect(end.calls).toBe(0)
    await clock.advance(1000)
    expect([end.calls, taken.length, taken[9]]).toEqual([1, 10, 'line 9'])
    await ship.close()
    expect(clock.pendingTimers).toBe(0)
  })

  it('are sent again, ever more seldom, until they are taken; said once', async () => {
    const { ship, clock, taken, said, end } = farEnd()
    end.isAway = true
    ship.take('a')
    await clock.advance(1000)
    await clock.advance(600_000)
    expect(end.calls).toBeGreaterThan(8)
    expect(end.calls).toBeLessThan(20)
    end.isAway = false
    await clock.advance(60_000)
    expect([taken, said]).toEqual([['a'], ['trouble', 'again']])
    await ship.close()
  })

  it('are bounded while the far end is away; how many are missing is said when it is back', async () => {
    const { ship, clock, taken, said, end } = farEnd()
    end.isAway = true
    for (let index = 0; index < 30; index++) ship.take('x'.repeat(100))
    await clock.advance(1000)
    end.isAway = false
    await clock.advance(60_000)
    expect([taken.length, said]).toEqual([10, ['trouble', 'again', 'lost 20']])
    await ship.close()
  })

  it('are sent at the end, or counted', async () => {
    const near = farEnd()
    near.ship.take('last')
    await near.ship.close()
    expect(near.taken).toEqual(['last'])
    const far = farEnd()
    far.end.isAway = true
    far.ship.take('last')
    await far.ship.close()
    expect(far.said).toEqual(['trouble', 'lost 1'])
  })

  it('come at least once and in order, however the far end comes and goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('line', 'away', 'back', 'wait'), { maxLength: 60 }), async (steps) => {
        const { ship, clock, taken, end } = farEnd()
        const sent: string[] = []
        for (const step of steps) {
          if (step === 'line' && sent.length < 90) {
            sent.push(`n${sent.length}`)
            ship.take(sent.at(-1)!)
          }
          if (step === 'away' || step === 'back') end.isAway = step === 'away'
          if (step === 'wait') await clock.advance(1000)
        }
        end.isAway = false
        await clock.advance(120_000)
        await settle()
        expect(taken).toEqual(sent)
        await ship.close()
      }),
      { numRuns: 50 },
    )
  })

  it('are bounded too where a reader takes none and refuses none', async () => {
    const clock = new VirtualClock()
    const said: string[] = []
    const ship = new BatchShip({
      ...{ name: 'stdout', clock, maxWaitingBytes: 1000, batchMs: 50, send: () => new Promise(() => {}) },
      on: { trouble: () => {}, again: () => {}, lost: (_, count) => void said.push(`lost ${count}`) },
    })
    ship.take('x'.repeat(100))
    await clock.advance(50)
    for (let index = 0; index < 29; index++) ship.take('x'.repeat(100))
    const closed = ship.close()
    await clock.advance(2000)
    await closed
    expect(said).toEqual(['lost 30'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createRestartPolicy, type RestartOptions } from './restart-policy.js'

const setUp = (options: Partial<RestartOptions> = {}) => {
  const clock = new VirtualClock()
  return { clock, policy: createRestartPolicy({ clock, random: () => 0.5, ...options }) }
}

describe('restart policy', () => {
  it('starts again at once, then waits 1, 2, 4, 8, 16, 32, 60, 60 s between crashes (F10, B1)', async () => {
    const { clock, policy } = setUp()
    const delays: (number | undefined)[] = []
    for (let crash = 0; crash < 9; crash += 1) {
      policy.starting()
      policy.ready()
      const { retryInMs = 0 } = policy.crashed('exit code 1')
      delays.push(retryInMs / 1000)
      await clock.advance(retryInMs)
    }
    expect(delays).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60])
  })

  it('varies each delay by at most 20 % either way', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 40 }), (draw, crashes) => {
        const { policy } = setUp({ random: () => draw })
        let last = policy.crashed('x').retryInMs ?? 0
        expect(last).toBe(0)
        for (let crash = 0; crash < crashes; crash += 1) last = policy.crashed('x').retryInMs ?? 0
        const plain = Math.min(1000 * 2 ** (crashes - 1), 60_000)
        expect(last).toBeGreaterThanOrEqual(plain * 0.8)
        expect(last).toBeLessThanOrEqual(plain * 1.2)
      }),
    )
  })

  it('starts over without a delay after 60 healthy seconds, not before', async () => {
    const { clock, policy } = setUp()
    policy.crashed('x')
    policy.crashed('x')
    policy.crashed('x')
    policy.ready()
    await clock.advance(59_999)
    expect(policy.crashed('x').retryInMs).toBe(4000)
    policy.ready()
    await clock.advance(60_000)
    expect(policy.crashed('x').retryInMs).toBe(0)
    expect(policy.crashed('x').retryInMs).toBe(1000)
  })

  it('calls five crashes within ten minutes a loop, also when each came after a healthy minute', async () => {
    const { clock, policy } = setUp()
    const states: string[] = []
    for (let crash = 0; crash < 6; crash += 1) {
      policy.ready()
      await clock.advance(61_000)
      states.push(policy.crashed('x').state)
    }
    expect(states).toEqual(['backing-off', 'backing-off', 'backing-off', 'backing-off', 'crash-loop', 'crash-loop'])
    policy.ready()
    await clock.advance(600_001)
    expect(policy.crashed('x').state).toBe('backing-off')
  })

  it('limits failed starts to three quick tries, then tries once a minute (001-15)', () => {
    const { policy } = setUp()
    const delays = [1, 2, 3, 4, 5].map(() => policy.startFailed('no such command').retryInMs)
    expect(delays).toEqual([1000, 2000, 60_000, 60_000, 60_000])
    expect(policy.status).toMatchObject({ state: 'backing-off', reason: 'no such command' })
  })

  it('parks after the last start try when asked to', () => {
    const { policy } = setUp({ afterStartTries: 'park' })
    policy.startFailed('a')
    policy.startFailed('b')
    expect(policy.startFailed('c')).toEqual({
      state: 'parked',
      reason: 'c',
      nextRetryAt: undefined,
      retryInMs: undefined,
    })
  })

  it('counts start tries afresh once it was ready', () => {
    const { policy } = setUp({ afterStartTries: 'park' })
    policy.startFailed('a')
    policy.startFailed('b')
    policy.ready()
    expect(policy.startFailed('c').state).toBe('backing-off')
  })

  it('shows the next retry on the wall clock, and keeps the reason while it tries', () => {
    const { clock, policy } = setUp()
    policy.crashed('exit code 2')
    expect(policy.crashed('exit code 3')).toEqual({
      state: 'backing-off',
      reason: 'exit code 3',
      nextRetryAt: clock.wall() + 1000,
      retryInMs: 1000,
    })
    expect(policy.starting()).toMatchObject({ state: 'starting', reason: 'exit code 3', nextRetryAt: undefined })
    expect(policy.ready()).toMatchObject({ state: 'ready', reason: undefined })
  })

  it('forgets everything on reset', () => {
    const { policy } = setUp()
    for (let crash = 0; crash < 9; crash += 1) policy.crashed('x')
    expect(policy.reset()).toMatchObject({ state: 'stopped', reason: undefined })
    expect(policy.crashed('x')).toMatchObject({ state: 'backing-off', retryInMs: 0 })
  })
})

import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../../test/helpers/virtual-clock.js'
import { createFreshness } from './freshness.js'

const start = () => {
  const clock = new VirtualClock()
  const world = { stale: true, idle: true, told: 0, reconnects: [] as number[] }
  const freshness = createFreshness({
    clock,
    isStale: async () => world.stale,
    notify: () => void world.told++,
    isIdle: () => world.idle,
    reconnect: () => void world.reconnects.push(clock.now()),
  })
  return { clock, world, freshness }
}

describe('freshness', () => {
  it('X7 tells, and reconnects when nobody listened', async () => {
    const { clock, world, freshness } = start()
    freshness.changed()
    await clock.advance(4999)
    expect(world).toMatchObject({ told: 1, reconnects: [] })
    await clock.advance(1)
    expect(world.reconnects).toEqual([5000])
  })

  it('stays where the list was read again', async () => {
    const { clock, world, freshness } = start()
    freshness.changed()
    await clock.advance(1000)
    world.stale = false
    await clock.advance(600_000)
    expect(world.reconnects).toEqual([])
  })

  it('says nothing of a change that this endpoint does not see', async () => {
    const { clock, world, freshness } = start()
    world.stale = false
    freshness.changed()
    await clock.advance(60_000)
    expect(world.told).toBe(0)
  })

  it('waits until nobody is being answered, but not for ever', async () => {
    const { clock, world, freshness } = start()
    world.idle = false
    freshness.changed()
    await clock.advance(20_000)
    expect(world.reconnects).toEqual([])
    world.idle = true
    await clock.advance(1000)
    expect(world.reconnects).toHaveLength(1)
    world.idle = false
    freshness.changed()
    await clock.advance(200_000)
    expect(world.reconnects).toHaveLength(2)
  })

  it('F32 leaves ever less often for a list that keeps changing', async () => {
    const { clock, world, freshness } = start()
    for (let second = 0; second < 3600; second += 2) {
      freshness.changed()
      await clock.advance(2000)
    }
    expect(world.reconnects.map((at) => Math.round(at / 1000))).toEqual([
      5, 35, 95, 215, 455, 935, 1535, 2135, 2735, 3335,
    ])
  })

  it('leaves no timer behind', async () => {
    const { clock, freshness } = start()
    freshness.changed()
    await clock.advance(0)
    freshness.stop()
    expect(clock.pendingTimers).toBe(0)
  })
})

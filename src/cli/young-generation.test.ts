import { getHeapSpaceStatistics } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { holdYoungGeneration } from './young-generation.js'

describe('holdYoungGeneration', () => {
  const held = '--semi-space-growth-factor=1'
  const free = '--semi-space-growth-factor=2'

  it('holds the size until shortly after the sources have reported', async () => {
    const clock = new VirtualClock()
    const flags: string[] = []
    const settled = holdYoungGeneration(clock, (flag) => flags.push(flag))
    settled()
    expect(flags).toEqual([held])
    await clock.advance(1000)
    expect(flags).toEqual([held, free])
    expect(clock.pendingTimers).toBe(0)
  })

  it('lets go after a while where nobody tells', async () => {
    const clock = new VirtualClock()
    const flags: string[] = []
    holdYoungGeneration(clock, (flag) => flags.push(flag))
    await clock.advance(15_000)
    expect(flags).toEqual([held, free])
  })

  it('keeps the young generation from growing, however much survives', async () => {
    const clock = new VirtualClock()
    holdYoungGeneration(clock)
    try {
      const before = youngBytes()
      const kept = Array.from({ length: 400_000 }, (_, index) => ({ index, text: `${index}` }))
      // Its second half is taken when first needed. Left alone it would be many times that.
      expect(youngBytes()).toBeLessThanOrEqual(2 * before)
      expect(kept.length).toBe(400_000)
    } finally {
      await clock.advance(15_000)
    }
  })
})

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size

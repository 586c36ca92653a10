import { getHeapSpaceStatistics } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { holdYoungGeneration } from './young-generation.js'

const held = '--semi-space-growth-factor=1'
const free = '--semi-space-growth-factor=2'
const mb = 2 ** 20

const setUp = (memoryMb = 16_384) => {
  const clock = new VirtualClock()
  const flags: string[] = []
  const young = { mb: 2 }
  const settled = holdYoungGeneration(clock, {
    setFlag: (flag) => void flags.push(flag),
    youngBytes: () => young.mb * mb,
    memoryBytes: () => memoryMb * mb,
  })
  return { clock, flags, young, settled }
}

describe('holdYoungGeneration', () => {
  it('holds the size until shortly after the sources have reported', async () => {
    const { clock, flags, settled } = setUp()
    settled()
    expect(flags).toEqual([held])
    await clock.advance(1000)
    expect(flags).toEqual([held, free])
    await clock.advance(60_000)
    expect(flags).toEqual([held, free])
  })

  it('lets go after a while where nobody tells', async () => {
    const { clock, flags } = setUp()
    await clock.advance(15_000)
    expect(flags).toEqual([held, free])
  })

  it.each([
    [256, 8],
    [1024, 32],
    [16_384, 64],
  ])('holds it again on a machine of %d MB when it has %d, until it has shrunk', async (memoryMb, mostMb) => {
    const { clock, flags, young, settled } = setUp(memoryMb)
    settled()
    await clock.advance(1000)
    young.mb = mostMb - 1
    await clock.advance(500)
    expect(flags).toEqual([held, free])
    young.mb = mostMb
    await clock.advance(500)
    expect(flags).toEqual([held, free, held])
    young.mb = 2
    await clock.advance(500)
    expect(flags).toEqual([held, free, held, free])
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

import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { collectAtRest, ownHousekeeping } from './collect-at-rest.js'

const mebibyte = 1024 * 1024

/** A process whose processor time a test tells. */
const process = (heapMb: number) => {
  const clock = new VirtualClock()
  const state = { usedUs: 0, collected: 0 }
  collectAtRest(clock, {
    cpu: () => state.usedUs,
    heapBytes: () => heapMb * mebibyte,
    collect: () => {
      state.collected += 1
      state.usedUs += 5_000_000
    },
  })
  const pass = async (seconds: number, share: number) => {
    for (let second = 0; second < seconds; second++) {
      state.usedUs += share * 1_000_000
      await clock.advance(1000)
    }
  }
  return { state, pass }
}

describe('collectAtRest', () => {
  it('collects twice when the work of a start is over, and then never without more work', async () => {
    const { state, pass } = process(100)
    await pass(20, 0.5)
    expect(state.collected).toBe(0)
    await pass(600, 0.01)
    expect(state.collected).toBe(2)
  })

  it('does so again after more work, and not while it lasts', async () => {
    const { state, pass } = process(100)
    await pass(60, 0.01)
    await pass(300, 0.9)
    expect(state.collected).toBe(2)
    await pass(60, 0.01)
    expect(state.collected).toBe(4)
  })

  it('leaves a small heap alone', async () => {
    const { state, pass } = process(40)
    await pass(30, 0.5)
    await pass(60, 0)
    expect(state.collected).toBe(0)
  })

  it('gives back what nobody holds any more, and leaves no collector behind', async () => {
    const clock = new VirtualClock()
    const gone = new WeakRef(Array.from({ length: 100_000 }, (_, index) => ({ index })))
    const { collect } = ownHousekeeping
    collectAtRest(clock, { cpu: () => 0, heapBytes: () => 100 * mebibyte, collect })
    await clock.advance(2000)
    await expect.poll(() => gone.deref()).toBeUndefined()
    expect('gc' in globalThis).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { createShared } from './held.js'

describe('createShared', () => {
  it('makes one for all who hold it, and ends it once with the last', async () => {
    let made = 0
    const ended: number[] = []
    const shared = createShared(
      () => ++made,
      async (value) => void ended.push(value),
    )
    const [first, second] = [shared.hold(), shared.hold()]
    expect([first.value, second.value]).toEqual([1, 1])
    await first.release()
    await first.release()
    expect(ended).toEqual([])
    await second.release()
    expect(ended).toEqual([1])
    expect(shared.hold().value).toBe(2)
  })
})

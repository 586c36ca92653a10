import { describe, expect, it } from 'vitest'
import { createWriteQueue, maxPendingWrites } from './write-queue.js'

describe('the write queue', () => {
  it('puts everything that waits into one batch, in order', async () => {
    const batches: number[][] = []
    const queue = createWriteQueue<number>(async (batch) => {
      batches.push([...batch])
      return batch.map((n) => n % 2 === 0)
    })
    expect(await Promise.all([1, 2, 3].map(queue.push))).toEqual([false, true, false])
    await queue.push(4)
    expect(batches).toEqual([[1, 2, 3], [4]])
  })

  it('fails a batch as a whole and goes on with the next', async () => {
    let broken = true
    const queue = createWriteQueue<number>(async (batch) => {
      if (broken) throw new Error('full')
      return batch.map(() => true)
    })
    const results = await Promise.allSettled([queue.push(1), queue.push(2)])
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
    broken = false
    expect(await queue.push(3)).toBe(true)
    await queue.idle()
  })

  it('refuses more than it can hold', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const queue = createWriteQueue<number>(async (batch) => {
      await gate
      return batch.map(() => true)
    })
    const first = queue.push(0)
    await new Promise((resolve) => setImmediate(resolve))
    const waiting = Array.from({ length: maxPendingWrites }, (_, n) => queue.push(n))
    await expect(queue.push(1)).rejects.toMatchObject({ code: 'OVERLOADED' })
    open()
    await Promise.all([first, ...waiting])
  })
})

import { expect, it } from 'vitest'
import { freshRuns } from './fresh-runs.js'

it('gives everybody a run that began after they asked, and as few as that takes', async () => {
  let written = 0
  let runs = 0
  const gates: (() => void)[] = []
  const read = freshRuns(async () => {
    runs += 1
    const seen = written
    await new Promise<void>((resolve) => gates.push(resolve))
    return seen
  })
  const first = read()
  await Promise.resolve()
  await Promise.resolve()
  written = 1
  const late = [read(), read(), read()]
  gates.shift()!()
  expect(await first).toBe(0)
  await Promise.resolve()
  gates.shift()!()
  expect(await Promise.all(late)).toEqual([1, 1, 1])
  expect(runs).toBe(2)
})

it('goes on after a run that failed', async () => {
  let fails = true
  const run = freshRuns(async () => {
    if (fails) throw new Error('away')
    return 'there'
  })
  await expect(run()).rejects.toThrow('away')
  fails = false
  expect(await run()).toBe('there')
})

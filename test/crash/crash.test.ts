import { afterAll, describe, expect, it } from 'vitest'
import { buildStorage } from './build.mjs'
import { crashCycles } from './crash.mjs'

// The full figure is 1,000 cycles each, by `node test/crash/crash.mjs`.
const cycles = 50

describe('a store whose process is killed while saving', () => {
  const build = buildStorage()
  afterAll(() => build.remove())

  const survives = async (backend: 'json' | 'sqlite') => {
    const summary = await crashCycles({ entry: build.entry, backend, cycles })
    console.info(JSON.stringify({ ...summary, problems: summary.problems.length }))
    expect(summary.problems).toEqual([])
    expect(summary.acknowledged).toBeGreaterThan(cycles)
    expect(summary.leftBehind).toBe(0)
  }

  it('keeps every acknowledged write in a file (F1)', () => survives('json'), 120_000)
  it('keeps every acknowledged write in a database (F2)', () => survives('sqlite'), 120_000)
})

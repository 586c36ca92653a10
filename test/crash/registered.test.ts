import { describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { registerCycles } from './registered.mjs'

// The full figure is 1,000 cycles each, by `node test/crash/registered.mjs`.
const cycles = 50

describe('a server that is killed after it answered register_tool (B2)', () => {
  const survives = async (backend: 'json' | 'sqlite') => {
    const summary = await registerCycles({ cli: builtCli(), backend, cycles })
    expect(summary.problems).toEqual([])
    expect(summary.acknowledged).toBeGreaterThan(cycles)
  }

  it('has all that it acknowledged in a file (B2)', () => survives('json'), 300_000)
  it('has all that it acknowledged in a database (B2)', () => survives('sqlite'), 300_000)
})

import { expect, it } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { checkModel } from './model.mjs'

describePostgres('random writes at three replicas, some of which are killed', () => {
  it('leave every acknowledged write, and all replicas agree (200 rounds: node test/fleet/model.mjs)', async () => {
    const summary = await checkModel({ url: await newDatabase(), rounds: 10 })
    expect(summary.problems, `seed ${summary.seed}`).toEqual([])
    expect(summary.acknowledged).toBeGreaterThan(100)
    expect(summary.kills).toBeGreaterThan(0)
    // A write fails where its replica was killed, and nowhere else.
    expect(Object.keys(summary.why).filter((code) => !/^(?:ECONN|CUT|EPIPE)/.test(code))).toEqual([])
  }, 300_000)
})

import { expect, it } from 'vitest'
import type { OpenedBoard } from '../../src/serving/open-board.js'
import { describePostgres } from '../helpers/postgres.js'
import { measureConvergence } from './convergence.js'
import { ask, openReplicas, register } from './replicas.js'

const rounds = Number(process.env.CONVERGENCE_ROUNDS ?? 3)

describePostgres('replicas on one database', () => {
  it('hear of a change, each on its own streams', async () => {
    await using fleet = await openReplicas(2)
    const [writer, reader] = fleet.boards
    const { p50Ms, maxMs, catalogP50Ms } = await measureConvergence(writer!, reader!, rounds)
    console.log(
      `change → push at another replica: p50 ${p50Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms of ${rounds}; in its catalog: p50 ${catalogP50Ms.toFixed(1)} ms`,
    )
    expect(maxMs).toBeGreaterThan(0)
  })

  it('agree on one hot set, written by the one that holds it', async () => {
    await using fleet = await openReplicas(3)
    const [first] = fleet.boards
    const documents = (board: OpenedBoard) => board.storage.reader().documents('hot')
    await expect.poll(() => documents(first!).get('set')).toMatchObject({ ids: [] })
    expect(fleet.boards.map(({ fleet: { isAlone } }) => isAlone)).toEqual([false, false, false])
    // The set may be written by another one: who holds what is heard at the next beat.
    const holders = () => first!.fleet.leases().filter(({ name }) => name === 'hot-set')
    await expect.poll(holders, { timeout: 20_000 }).toMatchObject([{ holder: expect.stringMatching(/^r[123]$/) }])
  })

  it('ask the database nothing for calls that find their tool, and little for those that do not', async () => {
    await using fleet = await openReplicas(1)
    const [board] = fleet.boards
    await register(board!, 'there')
    const commons = board!.storage.commons!
    let looks = 0
    const look = commons.look.bind(commons)
    Object.assign(commons, {
      look: () => {
        looks += 1
        return look()
      },
    })
    for (let n = 0; n < 200; n++) await ask(board!, 'search_tools', { query: 'there' })
    for (let n = 0; n < 200; n++) await ask(board!, 'there')
    expect(looks).toBe(0)
    const begun = performance.now()
    const flood = await Promise.all(Array.from({ length: 5000 }, (_, n) => ask(board!, `nothing-${n}`)))
    expect(flood.every((outcome) => !outcome.ok && outcome.error.code === 'TOOL_NOT_FOUND')).toBe(true)
    // Whoever comes by the thousand is refused without a look.
    expect(looks).toBeLessThanOrEqual(512 * (1 + Math.ceil((performance.now() - begun) / 100)))
    expect(looks).toBeLessThan(5000)
  })
})

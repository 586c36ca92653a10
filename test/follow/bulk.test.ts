import { expect, it } from 'vitest'
import { describePostgres } from '../helpers/postgres.js'
import { ask, openReplicas, until } from './replicas.js'

describePostgres('thousands of registered tools', () => {
  it('come to a replica that runs and to one that starts, and go from both', async () => {
    await using fleet = await openReplicas(2)
    const [first, second] = fleet.boards
    const parts = Array.from({ length: 30 }, (_, part) =>
      Array.from({ length: 100 }, (_, n) => ({
        name: `bulk-${part}-${n}`,
        description: `Number ${n} of part ${part}`,
      })),
    )
    for (const tools of parts) expect(await ask(first!, 'register_tool', { tools })).toMatchObject({ ok: true })
    const late = await fleet.open()
    const count = (board: typeof late) => board.gateway.catalog.countOf('registered')
    for (const board of [second!, late]) await until(board, () => count(board) === 3000)
    expect((await ask(late, 'unregister_tool', { tool_name: 'bulk-29-99' })).ok).toBe(true)
    for (const board of [first!, second!]) await until(board, () => count(board) === 2999)
  })
})

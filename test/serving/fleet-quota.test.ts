import { afterEach, expect, it } from 'vitest'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type OpenedReplica, openReplica } from '../helpers/open-replica.js'
import { describePostgres, newDatabase, ownPostgres } from '../helpers/postgres.js'

describePostgres('callsPerMinute in a fleet', () => {
  const open: OpenedReplica[] = []
  afterEach(async () => {
    for (const replica of open.splice(0).reverse()) await replica[Symbol.asyncDispose]()
  })
  const start = async (calls: number, given?: string) => {
    const database = given ?? (await newDatabase())
    const queries = { count: 0 }
    for (const name of ['a', 'b', 'c']) {
      const config = { profiles: { team: { limits: { callsPerMinute: calls } } } }
      const replica = await openReplica({ database, name, config })
      replica.board.gateway.register(defineTool({ name: 'nothing', handler: () => 'done' }))
      const { buckets } = replica.board.storage.commons!
      const draw = buckets.draw.bind(buckets)
      // The real one, counted.
      Object.assign(buckets, {
        draw: (...asked: Parameters<typeof draw>) => {
          queries.count += 1
          return draw(...asked)
        },
      })
      open.push(replica)
    }
    return queries
  }
  const ann = { id: 'ann', rights: ['discover', 'call'], profile: 'team' } as const
  const call = ({ board }: OpenedReplica) => board.gateway.call({ tool: 'nothing', args: {}, caller: ann })

  it('is never exceeded by three replicas together, and the database is asked in chunks', async () => {
    const queries = await start(600)
    const began = performance.now()
    const granted = await Promise.all(
      open.map(async (replica) => {
        let count = 0
        for (let turn = 0; turn < 3000; turn++) if ((await call(replica)).ok) count += 1
        return count
      }),
    )
    const seconds = (performance.now() - began) / 1000
    const sum = granted.reduce((all, each) => all + each, 0)
    expect(sum).toBeLessThanOrEqual(600 + 10 * seconds)
    // Below by a chunk of 30 for each, and by the one that the bucket is smaller by.
    expect(sum).toBeGreaterThanOrEqual(600 - 4 * 30)
    // 570 and more in chunks of 30, topped up at half; then at most ten a second each.
    expect(queries.count).toBeLessThanOrEqual(2 * (600 / 15) + 3 * (10 * seconds + 1))
  })

  it('goes on without the database: each replica grants its share, and nobody waits for what is away', async () => {
    await using server = await ownPostgres()
    await start(600, server.url())
    for (const replica of open) expect(await call(replica)).toMatchObject({ ok: true })
    const [a] = open as [OpenedReplica]
    const { fleet } = a.board
    await new Promise<void>((resolve) => {
      const look = (): void => void (fleet.members().length === 3 && resolve())
      fleet.onMembers(look)
      look()
    })
    const isAway = new Promise<void>((resolve) => {
      const stop = a.board.storage.commons!.onUp((isUp) => {
        if (isUp) return
        stop()
        resolve()
      })
    })
    await server.halt('immediate')
    await isAway
    let granted = 0
    const began = performance.now()
    while ((await call(a)).ok) granted += 1
    // A third of it, whatever came in meanwhile, and what was in hand; the others have theirs.
    expect(granted).toBeGreaterThanOrEqual(190)
    expect(granted).toBeLessThanOrEqual(200 + 30 + (performance.now() - began) / 100)
    await server.start()
  })

  it('of a few is whole, wherever the calls come in, and says when the next may come', async () => {
    await start(5)
    const outcomes = await Promise.all([0, 1, 2, 0, 1, 2, 0].map((at) => call(open[at]!)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(5)
    const refused = outcomes.find((outcome) => !outcome.ok)
    expect(refused).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED', notSent: true } })
    expect(refused?.ok === false && refused.error.retryAfterMs).toBeGreaterThan(0)
  })
})

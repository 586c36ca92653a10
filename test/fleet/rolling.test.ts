import { expect, it } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { startBalancer } from './balancer.mjs'
import { createClient, startLoad } from './load.mjs'
import { newerBuild } from './newer-build.mjs'
import { baseConfig, counter, type ReplicaProcess, startReplica } from './replicas.mjs'
import { mixedLoad, untilServed } from './scenarios.mjs'

describePostgres('a rolling update', () => {
  it('and its rollback lose no call and no session: two versions run side by side', async () => {
    const url = await newDatabase()
    const config = baseConfig({ sources: { counter: counter() } })
    const newer = newerBuild()
    const start = async (name: string, dist?: string): Promise<ReplicaProcess> => {
      const replica = await startReplica({ url, config, name, dist, drainMs: 1000 })
      await replica.ready()
      return replica
    }
    let running = [await start('r1'), await start('r2')]
    const all = [...running]
    const urls = () => running.map((each) => each.url)
    await untilServed(urls())
    const balancer = await startBalancer(urls())
    const client = createClient(balancer.url)
    try {
      const load = startLoad({ perSecond: 40, ask: await mixedLoad(client) })
      for (const [version, dist] of [
        ['new', newer.dist],
        ['old', undefined],
      ] as const)
        for (const old of [...running]) {
          const next = await start(`${old.name}-${version}`, dist)
          all.push(next)
          running = [...running.filter((each) => each !== old), next]
          old.child.kill('SIGTERM')
          balancer.use(urls())
          expect(await old.exited).toBe(0)
        }
      load.stop()
      expect((await load.done).failed).toEqual([])
    } finally {
      client.close()
      await balancer.close()
      await Promise.all(all.map((each) => each.dispose()))
      newer.dispose()
    }
  }, 240_000)

  it('to tables that this version cannot read is refused with the way out', async () => {
    const url = await newDatabase()
    const config = baseConfig({ sources: {} })
    const newer = newerBuild({ canBeRead: false })
    const next = await startReplica({ url, config, name: 'next', dist: newer.dist })
    try {
      await next.ready()
      await expect(startReplica({ url, config, name: 'late' })).rejects.toThrow(/STORE_TOO_NEW|newer Pegboard/)
    } finally {
      await next.dispose()
      newer.dispose()
    }
  }, 120_000)
})

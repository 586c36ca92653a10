import fc from 'fast-check'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { describePostgres, newDatabase } from '../../../test/helpers/postgres.js'
import { sampleTool } from '../../../test/helpers/store-samples.js'
import { openStorage } from '../open.js'
import type { Storage } from '../storage.js'
import type { StoredTool } from '../store.js'

const openAll = async (count: number, url: string, schema = 'pegboard') => {
  const all = await Promise.all(
    Array.from({ length: count }, () => openStorage({ backend: 'postgres', url, schema, connections: 2 })),
  )
  return {
    all: all as readonly Storage[] as readonly [Storage, Storage, Storage],
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

const ask = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describePostgres('replicas on one PostgreSQL', () => {
  it('make one schema and one first key, however many begin at once on an empty database, twenty times', async () => {
    const url = await newDatabase()
    for (let round = 0; round < 20; round++) {
      const schema = `s${round}`
      await using opened = await openAll(3, url, schema)
      const added = await Promise.all(
        opened.all.map(async (storage, n) => {
          await using keys = storage.shared('keys')
          return keys.addUnless(`admin-${n}`, { permission: 'admin' }, (there) => there.length > 0)
        }),
      )
      expect(added.filter(Boolean)).toHaveLength(1)
      const secrets = await Promise.all(opened.all.map(({ commons }) => commons!.secret()))
      expect(new Set(secrets).size).toBe(1)
      expect(await ask(url, `select count(*)::int as n from "${schema}".document`)).toEqual([{ n: 1 }])
    }
  })

  it('tell each other what they wrote of tools, and nothing where nothing changed', async () => {
    const url = await newDatabase()
    await using opened = await openAll(2, url)
    const [a, b] = opened.all
    await using mine = await a.store()
    await using other = await b.store()
    const told: (readonly [readonly string[], readonly string[]])[] = []
    other.follow!((changed, gone) => told.push([changed.map(({ id }) => id), gone]))
    await mine.merge!([sampleTool('a'), sampleTool('b')], [])
    await expect.poll(() => told).toEqual([[['a', 'b'], []]])
    const [head] = await ask(url, "select version from pegboard.head where kind = 'tools'")
    await mine.merge!([sampleTool('a'), sampleTool('b')], [{ id: 'a', count: 3, lastUsed: 1 }])
    await mine.merge!([sampleTool('a', { useCount: 9 })], [])
    expect(await ask(url, "select version from pegboard.head where kind = 'tools'")).toEqual([head])
    await mine.delete('a')
    await mine.save(sampleTool('c'))
    await b.commons!.look()
    expect(told.slice(1).flatMap(([changed]) => changed)).toEqual(['c'])
    expect(told.slice(1).flatMap(([, gone]) => gone)).toEqual(['a'])
  })

  it('register a name once', async () => {
    const url = await newDatabase()
    await using opened = await openAll(3, url)
    const stores = await Promise.all(opened.all.map((storage) => storage.store()))
    const tool = sampleTool('mine', { source: 'registered' })
    const answers = await Promise.all(
      stores.map((store) => store.add!([tool, sampleTool('also', { source: 'registered' })])),
    )
    expect(answers.filter((taken) => taken === undefined)).toHaveLength(1)
    expect(await stores[0]!.load()).toHaveLength(2)
    await stores[0]!.delete('mine')
    await stores[0]!.delete('also')
    expect(await stores[1]!.add!([tool])).toBeUndefined()
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('add up uses of tools and keys, also while others write the same keys', async () => {
    const url = await newDatabase()
    await using opened = await openAll(3, url)
    const stores = await Promise.all(opened.all.map((storage) => storage.store()))
    const ids = Array.from({ length: 40 }, (_, n) => `t${n}`)
    await stores[0]!.saveMany(ids.map((id) => sampleTool(id)))
    await using keys = opened.all[0].shared('keys')
    await keys.putMany(ids.map((id) => ({ id, value: { name: id, useCount: 1 } })))
    const sets = opened.all.map((storage) => storage.shared('keys'))
    await Promise.all(
      stores.flatMap((store, n) =>
        Array.from({ length: 10 }, async (_, round) => {
          // Each in another order: rows are locked in one all the same.
          const uses = [...ids].sort(() => n - 1).map((id) => ({ id, count: 1, lastUsed: round }))
          await store.merge!([], round % 2 === 0 ? uses : uses.reverse())
          await sets[n]!.addUses!(uses)
          await sets[n]!.update('t1', (current) => ({ ...(current as object), name: `${n}.${round}` }))
        }),
      ),
    )
    expect((await stores[1]!.uses!()).map(({ count }) => count)).toEqual(ids.map(() => 30))
    expect((await keys.all()).map(({ value }) => (value as { useCount: number }).useCount)).toEqual(ids.map(() => 31))
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('follow documents by an announcement, and refresh says so once', async () => {
    const url = await newDatabase()
    await using opened = await openAll(2, url)
    const [a, b] = opened.all
    await using mine = a.shared('notes')
    await using other = b.shared('notes')
    await other.refresh()
    let told = 0
    other.follow!(() => void told++)
    await expect.poll(() => other.refresh()).toBe(false)
    await mine.put('a', 1)
    await b.commons!.look()
    expect(told).toBe(1)
    expect([await other.refresh(), await other.refresh()]).toEqual([true, false])
    await mine.put('a', 1)
    await mine.addMany!([{ id: 'a', value: 2 }])
    await b.commons!.look()
    expect([told, await other.refresh(), await other.get('a')]).toEqual([1, false, 1])
    await mine.addMany!([
      { id: 'a', value: 3 },
      { id: 'b', value: 4 },
    ])
    expect((await other.all()).map(({ value }) => value)).toEqual([1, 4])
    await other.put('b', 5)
    await b.commons!.look()
    // An announcement of its own write may be quicker than the answer, and then it is told of that, too.
    expect([2, 3]).toContain(told)
  })

  it('never skip a write, whoever writes at the same time', async () => {
    const url = await newDatabase()
    const step = fc.record({
      writer: fc.nat({ max: 2 }),
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      tag: fc.string({ unit: fc.constantFrom('x', 'y'), maxLength: 3 }),
      isGone: fc.boolean(),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await using opened = await openAll(3, url, `heads${round++}`)
        const stores = await Promise.all(opened.all.map((storage) => storage.store()))
        const follower = await opened.all[0].store()
        const seen = new Map<string, StoredTool>()
        follower.follow!((changed, gone) => {
          for (const tool of changed) seen.set(tool.id, tool)
          for (const id of gone) seen.delete(id)
        })
        await Promise.all(
          steps.map(({ writer, id, tag, isGone }) =>
            isGone ? stores[writer]!.delete(id) : stores[writer]!.save(sampleTool(id, { tags: [tag] })),
          ),
        )
        await opened.all[0].commons!.look()
        expect([...seen.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(await stores[1]!.load())
        await Promise.all([...stores, follower].map((store) => store[Symbol.asyncDispose]()))
      }),
      { numRuns: 8 },
    )
  })
})

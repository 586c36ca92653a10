import { expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createMemoryStore } from '../storage/memory/memory-store.js'
import type { Store } from '../storage/store.js'
import { silentLogger } from '../telemetry/logger.js'
import { createCatalog } from './catalog.js'
import { keepInStore } from './persistence.js'

const newReplica = async (store: Store, clock: VirtualClock, keeps?: () => boolean) => {
  const catalog = createCatalog()
  catalog.mount({ source: 'calc', namespace: 'calc' })
  const kept = await keepInStore({ catalog, store, clock, logger: silentLogger, keeps })
  const report = (description: string) =>
    catalog.apply('calc', {
      type: 'all',
      tools: [{ definition: { name: 'add', description, inputSchema: { type: 'object' } } }],
    })
  return { catalog, kept, report }
}

it('uses that several replicas count add up, and each of them comes to know the sum', async () => {
  const clock = new VirtualClock()
  const store: Store = { ...createMemoryStore(), follow: () => () => {} }
  const replicas = [await newReplica(store, clock), await newReplica(store, clock)] as const
  for (const { report } of replicas) report('Adds')
  for (let n = 0; n < 6; n++) for (const { catalog } of replicas) catalog.usage.count('calc.add', clock.wall())
  expect(replicas.map(({ catalog }) => catalog.usage.temperature('calc.add', clock.wall()))).toEqual(['warm', 'warm'])
  await clock.advance(60_000)
  // What nobody has written yet is counted once, too.
  replicas[0].catalog.usage.count('calc.add', clock.wall())
  expect(replicas.map(({ catalog }) => catalog.usage.of('calc.add').count)).toEqual([13, 12])
  expect(replicas.map(({ catalog }) => catalog.usage.temperature('calc.add', clock.wall()))).toEqual(['hot', 'hot'])
  await clock.advance(120_000)
  expect(replicas.map(({ catalog }) => catalog.usage.of('calc.add').count)).toEqual([13, 13])
  for (const { kept } of replicas) await kept.close()
  expect(await store.uses!()).toMatchObject([{ id: 'calc.add', count: 13 }])
})

it('a definition is written at once by who runs its source, and by nobody else', async () => {
  const clock = new VirtualClock()
  const store: Store = { ...createMemoryStore(), follow: () => () => {} }
  const runs = await newReplica(store, clock)
  const looks = await newReplica(store, clock, () => false)
  runs.report('As it is')
  looks.report('As it was')
  looks.catalog.usage.count('calc.add', clock.wall())
  await clock.advance(50)
  expect(await store.load()).toMatchObject([{ id: 'calc.add', definition: { description: 'As it is' } }])
  await clock.advance(2000)
  await Promise.all([runs.kept.close(), looks.kept.close()])
  expect(await store.load()).toMatchObject([{ definition: { description: 'As it is' }, useCount: 1 }])
})

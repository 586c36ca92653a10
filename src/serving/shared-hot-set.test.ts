import { expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { hotRefreshMs } from '../faces/mcp/exposure.js'
import type { Fleet, Holding, Place } from '../fleet/fleet.js'
import { createGateway, type Gateway } from '../gateway.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import type { DocumentSet } from '../storage/store.js'
import { silentLogger } from '../telemetry/logger.js'
import { openSharedHotSet } from './shared-hot-set.js'

/** One lease, and one set of documents whose readers are told of each write. */
const newFleet = () => {
  const kept = createMemoryDocuments()
  const followers = new Set<() => void | Promise<void>>()
  let writes = 0
  const documents: DocumentSet = {
    ...kept,
    put: async (id, value) => {
      await kept.put(id, value)
      writes += 1
      for (const tell of followers) void tell()
    },
    follow: (listener) => {
      followers.add(listener)
      return () => void followers.delete(listener)
    },
  }
  const newReplica = (at: 'here' | 'nowhere') => {
    let place: Place = at === 'here' ? { at, epoch: 1 } : { at }
    const listeners = new Set<(place: Place) => void>()
    const holding: Holding = {
      get place() {
        return place
      },
      onPlace: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      learn: () => {},
      ended: () => {},
      release: async () => {},
    }
    const fleet: Pick<Fleet, 'hold'> = { hold: () => holding }
    const move = (next: Place): void => {
      place = next
      for (const listener of listeners) listener(next)
    }
    return { fleet, move }
  }
  return { documents, newReplica, writes: () => writes }
}

const newBoard = (): Gateway => {
  const gateway = createGateway()
  for (const name of ['a', 'b'])
    gateway.register({ definition: { name, inputSchema: { type: 'object' } }, handler: () => name })
  return gateway
}

const use = ({ catalog }: Gateway, name: string, clock: VirtualClock): void => {
  for (let n = 0; n < 10; n++) catalog.usage.count(name, clock.wall())
}

it('is what the replica that holds it saw, for all of them, and goes on where another takes over', async () => {
  const clock = new VirtualClock()
  const { documents, newReplica, writes } = newFleet()
  const boards = [newBoard(), newBoard()] as const
  const replicas = [newReplica('here'), newReplica('nowhere')] as const
  const open = (n: 0 | 1) =>
    openSharedHotSet({ gateway: boards[n], documents, fleet: replicas[n].fleet, clock, logger: silentLogger })
  const sets = [await open(0), await open(1)] as const
  const shown = () => sets.map((set) => ['a', 'b'].filter((name) => set.has(boards[0].find(name)!)))
  await clock.advance(0)
  expect(writes()).toBe(1)
  const told = [0, 0]
  for (const [n, set] of sets.entries()) set.onChange(() => void (told[n]! += 1))

  // Counted at the one that does not look: nobody's list changes by it.
  use(boards[1], 'b', clock)
  use(boards[0], 'a', clock)
  await clock.advance(hotRefreshMs - 1)
  expect(shown()).toEqual([[], []])
  await clock.advance(1)
  expect(shown()).toEqual([['a'], ['a']])
  expect(told).toEqual([1, 1])

  replicas[0].move({ at: 'nowhere' })
  replicas[1].move({ at: 'here', epoch: 2 })
  await clock.advance(hotRefreshMs - 1)
  expect(shown()).toEqual([['a'], ['a']])
  await clock.advance(1)
  expect(shown()).toEqual([['b'], ['b']])
  expect(writes()).toBe(3)

  // One that starts shows at once what the others show.
  const late = newReplica('nowhere')
  const third = await openSharedHotSet({
    gateway: boards[0],
    documents,
    fleet: late.fleet,
    clock,
    logger: silentLogger,
  })
  expect(third.has(boards[0].find('b')!)).toBe(true)
  expect(third.has(boards[0].find('a')!)).toBe(false)
  for (const set of [...sets, third]) set.close()
})

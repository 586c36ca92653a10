import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/model/clock.js'
import { openStorage } from '../../src/storage/open.js'
import { type KeptStorage, keepStorage } from '../../src/storage/parent/kept-storage.js'
import { type KeeperLine, type LineMessage, lineWithin } from '../../src/storage/parent/line.js'
import { openParentStorage } from '../../src/storage/parent/parent-storage.js'
import type { Storage } from '../../src/storage/storage.js'
import type { SharedDocuments, Store } from '../../src/storage/store.js'
import { sampleTool, temporaryFolders } from '../helpers/store-samples.js'
import { describeDocuments } from './documents.js'
import { describeStore } from './store.js'

const newFolder = temporaryFolders()
const open: KeptStorage[] = []

afterEach(async () => {
  for (const kept of open.splice(0)) await kept[Symbol.asyncDispose]()
})

/** What goes over a process's channel is text. */
const asText = (line: KeeperLine): KeeperLine => ({
  ...line,
  send: (message) => line.send(JSON.parse(JSON.stringify(message)) as LineMessage),
})

const keep = async (backend: 'json' | 'sqlite' | 'memory', path: string): Promise<KeptStorage> => {
  const kept = keepStorage({ storage: await openStorage({ backend, path }), clock: systemClock })
  open.push(kept)
  return kept
}

const join = (kept: KeptStorage): Promise<Storage> => {
  const [near, far] = lineWithin()
  kept.serve(asText(near))
  return openParentStorage(asText(far), systemClock)
}

for (const backend of ['json', 'sqlite', 'memory'] as const) {
  const openStore = async (folder: string): Promise<Store> => {
    const kept = keepStorage({ storage: await openStorage({ backend, path: folder }), clock: systemClock })
    const store = await (await join(kept)).store()
    const close = async (): Promise<void> => {
      await store[Symbol.asyncDispose]()
      await kept[Symbol.asyncDispose]()
    }
    return { ...store, [Symbol.asyncDispose]: close }
  }
  describeStore(`a ${backend} store that another process keeps: the`, openStore, {
    survives: backend !== 'memory',
    runs: 15,
  })
  describeDocuments(
    `shared ${backend}, of another process:`,
    async (folder) => {
      const kept = keepStorage({ storage: await openStorage({ backend, path: folder }), clock: systemClock })
      const storage = await join(kept)
      const sets: SharedDocuments[] = []
      const documents = (kind: string): SharedDocuments => {
        sets.push(storage.shared(kind))
        return sets.at(-1)!
      }
      const close = async (): Promise<void> => {
        for (const set of sets) await set[Symbol.asyncDispose]()
        await kept[Symbol.asyncDispose]()
      }
      return { documents, close }
    },
    { survives: backend !== 'memory', runs: 8 },
  )
}

describe('processes on one storage', () => {
  it('hear what the others write, and not what they wrote themselves', async () => {
    const kept = await keep('json', await newFolder())
    const [first, second, own] = [await join(kept), await join(kept), await kept.own]
    const heard: string[] = []
    const stores = [await first.store(), await second.store(), await own.store()]
    for (const [n, store] of stores.entries())
      store.follow!((changed, gone) => heard.push(`${n}: ${changed.map(({ id }) => id)} -${gone}`))
    await stores[0]!.save(sampleTool('a.b'))
    await stores[1]!.delete('a.b')
    // The answer to a look comes behind what was told before.
    await stores[0]!.uses!()
    expect(heard.sort()).toEqual(['0:  -a.b', '1: a.b -', '2:  -a.b', '2: a.b -'])
  })

  it('register a name once, whoever asks first', async () => {
    const kept = await keep('sqlite', await newFolder())
    const stores = await Promise.all([join(kept), join(kept)].map(async (each) => (await each).store()))
    const tool = { ...sampleTool('registered.one'), source: 'registered' }
    const asked = await Promise.all([0, 1, 0, 1].map((n) => stores[n]!.add!([tool])))
    expect(asked.filter((taken) => taken === undefined)).toHaveLength(1)
    await stores[0]!.delete(tool.id)
    expect(await stores[1]!.add!([tool])).toBeUndefined()
  })

  it('change one document at the same time without losing a change', async () => {
    const kept = await keep('json', await newFolder())
    const storages = [await join(kept), await join(kept), await kept.own]
    const sets = storages.map((storage) => storage.shared('counts'))
    await sets[0]!.put('n', 0)
    await Promise.all(Array.from({ length: 60 }, (_, n) => sets[n % 3]!.update('n', (value) => (value as number) + 1)))
    expect(await sets[1]!.get('n')).toBe(60)
    const added = await Promise.all(sets.map((set, n) => set.addUnless(`k${n}`, n, (there) => there.length > 1)))
    expect(added.filter(Boolean)).toHaveLength(1)
  })

  it('hear within a second of keys that another program wrote', async () => {
    const folder = await newFolder()
    const kept = await keep('json', folder)
    const storage = await join(kept)
    const keys = storage.shared('keys')
    expect(await keys.all()).toEqual([])
    const heard = new Promise<void>((resolve) => void keys.follow!(resolve))
    await using other = await openStorage({ backend: 'json', path: folder })
    await other.shared('keys').put('k', { name: 'by hand' })
    await heard
    expect(await keys.get('k')).toEqual({ name: 'by hand' })
  })

  it('are told why, when the process that keeps the data is gone', async () => {
    let end = () => {}
    const ended = { send: () => {}, onMessage: () => {}, onEnd: (listener: () => void) => void (end = listener) }
    const opening = openParentStorage(ended, systemClock)
    end()
    await expect(opening).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  })
})

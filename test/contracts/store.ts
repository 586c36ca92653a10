import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store, StoredTool, ToolSelection } from '../../src/storage/store.js'
import { compareIds } from '../../src/storage/tool-set.js'
import { asStored, idArbitrary, sampleTool, temporaryFolders, toolArbitrary } from '../helpers/store-samples.js'
import { describeDocuments } from './documents.js'

export interface StoreContract {
  /** False for stores that end with the process. */
  readonly survives: boolean
  /** How many random histories to try; fewer where each step waits for a disk. */
  readonly runs: number
}

/** What every store promises. `openStore` opens the store kept in a folder, again after it was closed. */
export const describeStore = (
  name: string,
  openStore: (folder: string) => Promise<Store>,
  contract: StoreContract,
): void => {
  const newFolder = temporaryFolders()
  const withStore = async (use: (store: Store, folder: string) => Promise<void>) => {
    const folder = await newFolder()
    await using store = await openStore(folder)
    await use(store, folder)
  }

  describeDocuments(
    `${name} store's`,
    async (folder) => {
      const store = await openStore(folder)
      return { documents: store.documents, close: async () => store[Symbol.asyncDispose]() }
    },
    { ...contract, runs: Math.ceil(contract.runs / 4) },
  )

  describe(`${name} store`, () => {
    it('starts empty', () =>
      withStore(async (store) => {
        expect(await store.load()).toEqual([])
        expect(await store.validate()).toEqual([])
      }))

    it('gives back tags, dates and deferLoading false as they were saved (002-12, 002 compat 11)', () =>
      withStore(async (store) => {
        const tool = sampleTool('github.create_pr', {
          tags: ['github', 'git', '代码'],
          category: 'development',
          lastUsed: Date.UTC(2026, 0, 11, 12, 30, 0, 123),
          deferLoading: false,
          useCount: 15,
          temperature: 'hot',
        })
        await store.save(tool)
        expect(await store.load()).toEqual([tool])
      }))

    it('keeps fields of a definition that nobody here knows', () =>
      withStore(async (store) => {
        const definition = {
          name: 'a',
          inputSchema: JSON.parse('{"__proto__":{"x":1}}'),
          'x-vendor': { deep: [1, null] },
        }
        await store.save(sampleTool('a', { definition }))
        expect(JSON.stringify((await store.load())[0]?.definition)).toBe(JSON.stringify(definition))
      }))

    it('replaces a tool of the same id', () =>
      withStore(async (store) => {
        await store.save(sampleTool('a', { tags: ['old'], category: 'old' }))
        await store.save(sampleTool('a', { tags: ['new'] }))
        expect(await store.load()).toEqual([sampleTool('a', { tags: ['new'] })])
        expect(await store.loadByTag('old')).toEqual([])
      }))

    it('adds uses to what is counted, whoever counts, and leaves definitions their counts (O5)', () =>
      withStore(async (store) => {
        await store.save(sampleTool('a', { useCount: 8, lastUsed: 50, temperature: 'warm' }))
        await Promise.all([
          store.merge?.([], [{ id: 'a', count: 1, lastUsed: 70 }]),
          store.merge?.([sampleTool('a', { tags: ['new'] })], [{ id: 'a', count: 1, lastUsed: 60 }]),
          store.merge?.([sampleTool('b')], [{ id: 'absent', count: 9, lastUsed: 1 }]),
        ])
        expect(await store.load()).toEqual([
          sampleTool('a', { tags: ['new'], useCount: 10, lastUsed: 70, temperature: 'hot' }),
          sampleTool('b'),
        ])
        expect(await store.uses?.()).toEqual([{ id: 'a', count: 10, lastUsed: 70 }])
        expect(await store.loadByTag('new')).toHaveLength(1)
        expect(await store.validate()).toEqual([])
      }))

    it('keeps what somebody registered under an id that a source reports too (S7)', () =>
      withStore(async (store) => {
        const mine = sampleTool('up.x', { source: 'registered' })
        await store.save(mine)
        await store.merge?.([sampleTool('up.x', { source: 'up' })], [])
        expect(await store.load()).toEqual([mine])
      }))

    it('gives a part of its tools, by source, temperature and place (002-13, D12)', () =>
      withStore(async (store) => {
        const of = (id: string, source: string, temperature: 'hot' | 'cold') => sampleTool(id, { source, temperature })
        const tools = [of('a', 's', 'cold'), of('b', 't', 'cold'), of('c', 's', 'hot'), of('d', 's', 'cold')]
        await store.saveMany(tools)
        const ids = async (selection: ToolSelection) => (await store.select!(selection)).map(({ id }) => id)
        expect(await ids({})).toEqual(['a', 'b', 'c', 'd'])
        expect(await ids({ source: 's', temperature: 'cold' })).toEqual(['a', 'd'])
        expect(await ids({ source: 's', after: 'a', limit: 1 })).toEqual(['c'])
        expect(await ids({ notSource: 's' })).toEqual(['b'])
      }))

    it('adds many and leaves the others', () =>
      withStore(async (store) => {
        await store.save(sampleTool('c'))
        await store.saveMany([sampleTool('b'), sampleTool('a')])
        await store.saveMany([])
        expect(idsOf(await store.load())).toEqual(['a', 'b', 'c'])
      }))

    it('saves all of many or none', () =>
      withStore(async (store) => {
        const bad = { ...sampleTool('b'), useCount: -1 }
        await expect(store.saveMany([sampleTool('a'), bad])).rejects.toMatchObject({ code: 'TOOL_INVALID' })
        expect(await store.load()).toEqual([])
      }))

    it('says whether there was something to delete, and stays valid after the last tool is gone', () =>
      withStore(async (store) => {
        await store.save(sampleTool('a'))
        expect(await store.delete('b')).toBe(false)
        expect(await store.delete('a')).toBe(true)
        expect(await store.delete('a')).toBe(false)
        expect(await store.load()).toEqual([])
        expect(await store.validate()).toEqual([])
      }))

    it('finds tools by temperature, most used first, then by id (002 compat 6)', () =>
      withStore(async (store) => {
        const hot = { temperature: 'hot' } as const
        await store.saveMany([
          sampleTool('b', { ...hot, useCount: 12 }),
          sampleTool('a', { ...hot, useCount: 12 }),
          sampleTool('c', { ...hot, useCount: 99 }),
          sampleTool('d', { temperature: 'warm', useCount: 5 }),
        ])
        expect(idsOf(await store.loadByTemperature('hot'))).toEqual(['c', 'a', 'b'])
        expect(idsOf(await store.loadByTemperature('hot', 2))).toEqual(['c', 'a'])
        expect(await store.loadByTemperature('hot', 0)).toEqual([])
        expect(idsOf(await store.loadByTemperature('cold'))).toEqual([])
      }))

    it('refuses a negative limit, a fraction and an unknown temperature (002-11)', () =>
      withStore(async (store) => {
        const code = { code: 'ARGUMENTS_INVALID' }
        await expect(store.loadByTemperature('hot', -1)).rejects.toMatchObject(code)
        await expect(store.loadByTemperature('hot', 1.5)).rejects.toMatchObject(code)
        await expect(store.loadByTemperature('mild' as 'hot')).rejects.toMatchObject(code)
      }))

    it('finds tools by tag, in order of id', () =>
      withStore(async (store) => {
        await store.saveMany([
          sampleTool('b', { tags: ['x'] }),
          sampleTool('a', { tags: ['y', 'x', 'x'] }),
          sampleTool('c'),
        ])
        expect(idsOf(await store.loadByTag('x'))).toEqual(['a', 'b'])
        expect((await store.loadByTag('y'))[0]?.tags).toEqual(['y', 'x'])
        expect(await store.loadByTag("x' OR 1=1 --")).toEqual([])
      }))

    it('is not disturbed by deletes during loads (002 compat 11)', () =>
      withStore(async (store) => {
        await store.saveMany(Array.from({ length: 20 }, (_, n) => sampleTool(`t${n}`)))
        const work = Array.from({ length: 20 }, (_, n) => [store.delete(`t${n}`), store.load()]).flat()
        await Promise.all<unknown>(work)
        expect(await store.load()).toEqual([])
      }))

    it('applies changes in the order they were made, whether awaited or not', () =>
      withStore(async (store) => {
        const answers = [
          store.save(sampleTool('a', { useCount: 1 })),
          store.delete('a'),
          store.delete('a'),
          store.save(sampleTool('a', { useCount: 2 })),
        ]
        expect(await Promise.all<unknown>(answers)).toEqual([undefined, true, false, undefined])
        expect((await store.load())[0]?.useCount).toBe(2)
      }))

    it('is not touched by later edits of what was saved', () =>
      withStore(async (store) => {
        const tool = { ...sampleTool('a'), tags: ['x'] }
        const saved = store.save(tool)
        tool.tags.push('y')
        await saved
        expect((await store.load())[0]?.tags).toEqual(['x'])
      }))

    it.each<[string, Partial<Record<keyof StoredTool, unknown>>]>([
      ['an empty id', { id: '' }],
      ['a NUL in the id', { id: 'a\0b' }],
      ['half a surrogate in a tag', { tags: ['\ud800'] }],
      ['a definition without schema', { definition: { name: 'a' } }],
      ['a fraction as use count', { useCount: 0.5 }],
      ['a date beyond the calendar', { lastUsed: 9e15 }],
      ['an unknown temperature', { temperature: 'mild' }],
      ['a number as category', { category: 5 }],
      ['a BigInt', { definition: { name: 'a', inputSchema: {}, big: 1n } }],
      ['more than 200 levels', { definition: { name: 'a', inputSchema: nested(300) } }],
      ['levels beyond the stack', { definition: { name: 'a', inputSchema: nested(100_000) } }],
      ['more than 4 MiB', { definition: { name: 'a'.repeat(4 * 1024 * 1024), inputSchema: {} } }],
    ])('refuses %s and keeps what it had', (_, wrong) =>
      withStore(async (store) => {
        await store.save(sampleTool('a'))
        const tool = { ...sampleTool('a'), ...wrong } as StoredTool
        await expect(store.save(tool)).rejects.toMatchObject({ code: 'TOOL_INVALID' })
        expect(await store.load()).toEqual([sampleTool('a')])
      }),
    )

    it('finishes what was asked before it closes, then refuses', async () => {
      const folder = await newFolder()
      const store = await openStore(folder)
      const saved = store.save(sampleTool('a'))
      await store[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await saved
      await expect(store.load()).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
      await expect(store.save(sampleTool('b'))).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    })

    if (contract.survives)
      it('has everything after a restart', async () => {
        const folder = await newFolder()
        const tools = [
          sampleTool('a', { tags: ['x'] }),
          sampleTool('b', { useCount: 3, lastUsed: 5, temperature: 'warm' }),
        ]
        {
          await using store = await openStore(folder)
          await store.saveMany(tools)
        }
        await using store = await openStore(folder)
        expect(await store.load()).toEqual(tools)
        expect(await store.loadByTag('x')).toEqual([tools[0]])
      })

    it('agrees with a plain map over random histories (F39)', async () => {
      const history = fc.array(stepArbitrary, { maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(history, async (steps) => replay(steps, await newFolder(), openStore, contract.survives)),
        { numRuns: contract.runs },
      )
    })
  })
}

type Step =
  | { readonly type: 'save'; readonly tool: StoredTool }
  | { readonly type: 'saveMany'; readonly tools: readonly StoredTool[] }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'reopen' }

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('save' as const), tool: toolArbitrary }),
  fc.record({ type: fc.constant('saveMany' as const), tools: fc.array(toolArbitrary, { maxLength: 4 }) }),
  fc.record({ type: fc.constant('delete' as const), id: idArbitrary }),
  fc.record({ type: fc.constant('reopen' as const) }),
)

const replay = async (
  steps: readonly Step[],
  folder: string,
  openStore: (folder: string) => Promise<Store>,
  survives: boolean,
): Promise<void> => {
  const model = new Map<string, StoredTool>()
  let store = await openStore(folder)
  for (const step of steps) {
    if (step.type === 'reopen' && survives) {
      await store[Symbol.asyncDispose]()
      store = await openStore(folder)
    }
    if (step.type === 'delete') expect(await store.delete(step.id)).toBe(model.delete(step.id))
    if (step.type === 'save') await store.save(step.tool)
    if (step.type === 'saveMany') await store.saveMany(step.tools)
    const put = step.type === 'save' ? [step.tool] : step.type === 'saveMany' ? step.tools : []
    for (const tool of put) model.set(tool.id, asStored(tool))
    await compare(store, model)
  }
  expect(await store.validate()).toEqual([])
  await store[Symbol.asyncDispose]()
}

const compare = async (store: Store, model: ReadonlyMap<string, StoredTool>): Promise<void> => {
  const all = [...model.values()].sort((a, b) => compareIds(a.id, b.id))
  expect(await store.load()).toEqual(all)
  expect(await store.loadByTag('x')).toEqual(all.filter((tool) => tool.tags.includes('x')))
  const hot = all.filter((tool) => tool.temperature === 'hot').sort((a, b) => b.useCount - a.useCount)
  expect(await store.loadByTemperature('hot', 2)).toEqual(hot.slice(0, 2))
}

const idsOf = (tools: readonly StoredTool[]): readonly string[] => tools.map((tool) => tool.id)

function nested(levels: number): Record<string, never> {
  let value = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

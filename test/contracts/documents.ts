import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/model/json.js'
import type { DocumentSet } from '../../src/storage/store.js'
import { compareIds } from '../../src/storage/tool-set.js'
import { idArbitrary, temporaryFolders } from '../helpers/store-samples.js'

export interface OpenDocuments {
  readonly documents: (kind: string) => DocumentSet
  close(): Promise<void>
}

export interface DocumentContract {
  /** False for documents that end with the process. */
  readonly survives: boolean
  readonly runs: number
}

/** What every set of documents promises, wherever it is kept. */
export const describeDocuments = (
  name: string,
  open: (folder: string) => Promise<OpenDocuments>,
  contract: DocumentContract,
): void => {
  const newFolder = temporaryFolders()
  const withNotes = async (use: (notes: DocumentSet, other: DocumentSet) => Promise<void>) => {
    const opened = await open(await newFolder())
    try {
      await use(opened.documents('notes'), opened.documents('other-notes'))
    } finally {
      await opened.close()
    }
  }

  describe(`${name} documents`, () => {
    it('start empty', () =>
      withNotes(async (notes) => {
        expect(await notes.all()).toEqual([])
        expect(await notes.get('a')).toBeUndefined()
        expect(await notes.delete('a')).toBe(false)
      }))

    it('come back as they were put, in order of id, and per kind', () =>
      withNotes(async (notes, other) => {
        const values: JsonValue[] = [
          { b: 1, a: [null, true, '代码'] },
          'text',
          0,
          null,
          JSON.parse('{"__proto__":{"x":1}}'),
        ]
        await notes.putMany(values.map((value, n) => ({ id: `n${values.length - n}`, value })))
        await other.put('n1', 'elsewhere')
        expect((await notes.all()).map(({ id }) => id)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5'])
        for (const [n, value] of values.entries())
          expect(JSON.stringify(await notes.get(`n${values.length - n}`))).toBe(JSON.stringify(value))
        expect(await other.all()).toEqual([{ id: 'n1', value: 'elsewhere' }])
      }))

    it('are put many at a time, all or none', () =>
      withNotes(async (notes) => {
        const bad = { id: '', value: 1 }
        await expect(notes.putMany([{ id: 'a', value: 1 }, bad])).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
        expect(await notes.all()).toEqual([])
        await notes.putMany([])
      }))

    it('are updated only where they are', () =>
      withNotes(async (notes) => {
        const add = (current: JsonValue) => Number(current) + 1
        expect(await notes.update('a', add)).toBe(false)
        await notes.put('a', 1)
        expect(await Promise.all([notes.update('a', add), notes.update('a', add)])).toEqual([true, true])
        expect(await notes.get('a')).toBe(3)
        await notes.delete('a')
        expect(await notes.update('a', add)).toBe(false)
        expect(await notes.get('a')).toBeUndefined()
      }))

    it('are added unless what is there forbids it, however many try at once (O6)', () =>
      withNotes(async (notes) => {
        const first = (id: string) => notes.addUnless(id, id, (there) => there.some(({ value }) => value !== 'other'))
        await notes.put('x', 'other')
        expect((await Promise.all(['a', 'b', 'c'].map(first))).filter(Boolean)).toHaveLength(1)
        expect(await notes.all()).toHaveLength(2)
        await Promise.all(['a', 'b', 'c'].map((id) => notes.delete(id)))
        expect(await first('d')).toBe(true)
        expect(await notes.get('d')).toBe('d')
      }))

    it('fail one update without the others that travel with it', () =>
      withNotes(async (notes) => {
        await notes.put('a', 1)
        const results = await Promise.allSettled([
          notes.put('b', 2),
          notes.update('a', () => {
            throw new RangeError('no')
          }),
          notes.update('a', () => undefined as never),
          notes.put('c', 3),
        ])
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
        expect(results[1]).toMatchObject({ reason: { message: 'no' } })
        expect((await notes.all()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
        expect(await notes.get('a')).toBe(1)
      }))

    it('are not touched by later edits of what was put', () =>
      withNotes(async (notes) => {
        const value = { list: [1] }
        const saved = notes.put('a', value)
        value.list.push(2)
        await saved
        expect(await notes.get('a')).toEqual({ list: [1] })
      }))

    it.each<[string, string, unknown]>([
      ['an empty id', '', 1],
      ['a NUL in the id', 'a\0b', 1],
      ['half a surrogate in the id', '\ud800', 1],
      ['no value', 'a', undefined],
      ['a function', 'a', () => {}],
      ['a BigInt', 'a', { big: 1n }],
      ['more than 200 levels', 'a', nested(300)],
      ['levels beyond the stack', 'a', nested(100_000)],
      ['more than 4 MiB', 'a', 'x'.repeat(4 * 1024 * 1024)],
    ])('refuse %s', (_, id, value) =>
      withNotes(async (notes) => {
        await expect(notes.put(id, value as JsonValue)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
        expect(await notes.all()).toEqual([])
      }),
    )

    it.each(['', 'tools', 'Keys', '../keys', 'a/b', 'a.b', '1', 'a'.repeat(65)])('are of no kind %j', async (kind) => {
      const opened = await open(await newFolder())
      expect(() => opened.documents(kind)).toThrow(expect.objectContaining({ code: 'ARGUMENTS_INVALID' }))
      await opened.close()
    })

    it('finish what was asked before they close, then refuse', async () => {
      const folder = await newFolder()
      const opened = await open(folder)
      const notes = opened.documents('notes')
      const saved = notes.put('a', 1)
      await opened.close()
      await saved
      await expect(notes.all()).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
      await expect(notes.put('b', 1)).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
      if (!contract.survives) return
      const again = await open(folder)
      expect(await again.documents('notes').all()).toEqual([{ id: 'a', value: 1 }])
      await again.close()
    })

    it('agree with a plain map over random histories (F39)', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 12 }), async (steps) =>
          replay(steps, await newFolder(), open, contract.survives),
        ),
        { numRuns: contract.runs },
      )
    })
  })
}

type Step =
  | { readonly type: 'put' | 'update'; readonly id: string; readonly value: JsonValue }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'reopen' }

// Negative zero is not JSON's.
const valueArbitrary = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom('put' as const, 'update' as const), id: idArbitrary, value: valueArbitrary }),
  fc.record({ type: fc.constant('delete' as const), id: idArbitrary }),
  fc.record({ type: fc.constant('reopen' as const) }),
)

const replay = async (
  steps: readonly Step[],
  folder: string,
  open: (folder: string) => Promise<OpenDocuments>,
  survives: boolean,
): Promise<void> => {
  const model = new Map<string, JsonValue>()
  let opened = await open(folder)
  for (const step of steps) {
    if (step.type === 'reopen' && survives) {
      await opened.close()
      opened = await open(folder)
    }
    const notes = opened.documents('notes')
    if (step.type === 'delete') expect(await notes.delete(step.id)).toBe(model.delete(step.id))
    if (step.type === 'put') await notes.put(step.id, step.value)
    if (step.type === 'update') expect(await notes.update(step.id, () => step.value)).toBe(model.has(step.id))
    if (step.type === 'put' || (step.type === 'update' && model.has(step.id))) model.set(step.id, step.value)
    const expected = [...model].map(([id, value]) => ({ id, value })).sort((a, b) => compareIds(a.id, b.id))
    expect(await notes.all()).toEqual(expected)
  }
  await opened.close()
}

function nested(levels: number): Record<string, never> {
  let value = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

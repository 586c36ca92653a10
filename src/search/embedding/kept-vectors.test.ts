import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../storage/memory/memory-store.js'
import { createKeptVectors } from './kept-vectors.js'

describe('kept vectors', () => {
  it('come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 20 }),
        async (floats) => {
          const cache = createKeptVectors(createMemoryStore().documents('vectors'))
          await cache.set([['a', Float32Array.from(floats)]])
          expect(await cache.get(['a', 'b'])).toEqual([Float32Array.from(floats), undefined])
        },
      ),
    )
  })

  it('that are damaged count as absent', async () => {
    const documents = createMemoryStore().documents('vectors')
    await documents.put('odd', { floats: 'AAA=' })
    await documents.put('other', { text: 'x' })
    expect(await createKeptVectors(documents).get(['odd', 'other'])).toEqual([undefined, undefined])
  })
})

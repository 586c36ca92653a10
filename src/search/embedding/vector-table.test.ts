import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKernel } from './simd-kernel.js'
import { createMemoryVectorCache, vectorKey } from './vector-cache.js'
import { createVectorTable } from './vector-table.js'

const vectorArb = (length: number) =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => Float32Array.from(values))

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

describe('vector table', () => {
  it('gives the same cosines with SIMD and without, close to the exact ones', () => {
    const sample = fc
      .integer({ min: 1, max: 70 })
      .chain((length) =>
        fc.record({ query: vectorArb(length), rows: fc.array(vectorArb(length), { minLength: 1, maxLength: 12 }) }),
      )
    fc.assert(
      fc.property(sample, ({ query, rows }) => {
        const simd = createVectorTable(query.length)
        const plain = createVectorTable(query.length, { kernel: 'plain' })
        for (const [slot, row] of rows.entries()) {
          simd.set(slot, row)
          plain.set(slot, row)
        }
        const found = simd.cosines(query, rows.length)
        expect([...found]).toEqual([...plain.cosines(query, rows.length)])
        const backwards = [...rows.keys(), rows.length + 90].reverse()
        expect([...simd.cosinesAt(query, backwards)]).toEqual(backwards.map((slot) => found[slot] ?? 0))
        for (const [slot, row] of rows.entries()) {
          const exact = cosine(query, row)
          if (Number.isFinite(exact)) expect(Math.abs(found[slot]! - exact)).toBeLessThan(0.03)
        }
      }),
    )
  })

  it('has the kernel on this machine', () => {
    expect(createKernel()).toBeDefined()
  })

  it('spans several blocks and holes, and forgets', () => {
    const table = createVectorTable(3)
    table.set(20_000, Float32Array.of(0, 2, 0))
    table.set(5, Float32Array.of(0, 1, 1))
    const found = table.cosines(Float32Array.of(0, 1, 0), 20_001)
    expect(found[20_000]).toBeCloseTo(1, 2)
    expect(found[5]).toBeCloseTo(Math.SQRT1_2, 2)
    expect(found[6]).toBe(0)
    expect(table.count).toBe(2)
    table.delete(5)
    expect(table.has(5)).toBe(false)
    expect(table.cosines(Float32Array.of(0, 1, 0), 10)[5]).toBe(0)
    expect(table.count).toBe(1)
  })

  it('takes vectors without direction as none, and refuses other lengths', () => {
    const table = createVectorTable(2)
    table.set(0, Float32Array.of(0, 0))
    table.set(1, Float32Array.of(Number.NaN, 1))
    expect(table.has(0)).toBe(false)
    expect(table.has(1)).toBe(false)
    expect(() => table.set(0, Float32Array.of(1))).toThrow(/length 1/)
    expect(() => createVectorTable(0)).toThrow(/length 0/)
    expect(() => createVectorTable(1_000_000)).toThrow(/1000000/)
  })
})

describe('vector cache', () => {
  it('keeps the newest, and keys by model, kind and text', async () => {
    const cache = createMemoryVectorCache(2)
    await cache.set([
      ['a', Float32Array.of(1)],
      ['b', Float32Array.of(2)],
      ['c', Float32Array.of(3)],
    ])
    expect(await cache.get(['a', 'b', 'c'])).toEqual([undefined, Float32Array.of(2), Float32Array.of(3)])
    expect(new Set([vectorKey('m', 'tool', 'x'), vectorKey('m', 'query', 'x'), vectorKey('n', 'tool', 'x')]).size).toBe(
      3,
    )
  })
})

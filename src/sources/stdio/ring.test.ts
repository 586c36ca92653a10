import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRing } from './ring.js'

describe('ring', () => {
  it('holds the last bytes of whatever was pushed', () => {
    const chunks = fc.array(
      fc.uint8Array({ maxLength: 9000 }).map((bytes) => Buffer.from(bytes)),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 20_000 }), (pushed, capacity) => {
        const ring = createRing(capacity)
        for (const chunk of pushed) ring.push(chunk)
        const all = Buffer.concat(pushed)
        expect(ring.read().equals(all.subarray(Math.max(0, all.length - capacity)))).toBe(true)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idArbitrary } from '../../test/helpers/store-samples.js'
import { compareIds } from './tool-set.js'

describe('compareIds', () => {
  it('orders as UTF-8 bytes do, which is how databases order', () => {
    fc.assert(
      fc.property(idArbitrary, idArbitrary, (a, b) => {
        expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })

  it('puts characters beyond the first plane last, where < does not', () => {
    expect(compareIds('\u{1f600}', '\uffee')).toBeGreaterThan(0)
    expect('\u{1f600}' < '\uffee').toBe(true)
  })
})

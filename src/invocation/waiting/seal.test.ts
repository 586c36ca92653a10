import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeal } from './seal.js'

describe('a seal', () => {
  it('opens what it closed, and shows none of it', () => {
    const seal = createSeal()
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
        const closed = seal.close(content)
        expect(closed).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(seal.open(closed)).toEqual(JSON.parse(JSON.stringify(content)))
      }),
    )
    expect(Buffer.from(seal.close({ secret: 'hunter2' }), 'base64url').toString('latin1')).not.toContain('hunter2')
  })

  it('opens nothing with a changed bit', () => {
    const seal = createSeal()
    const closed = Buffer.from(seal.close({ flow: 'x', round: 1 }), 'base64url')
    for (let at = 0; at < closed.length * 8; at++) {
      const changed = Buffer.from(closed)
      changed[at >> 3]! ^= 1 << (at & 7)
      expect(() => seal.open(changed.toString('base64url'))).toThrow(expect.objectContaining({ code: -32602 }))
    }
  })

  it('opens nothing of another process, and nothing that is no text of ours', () => {
    const other = createSeal().close({ a: 1 })
    const seal = createSeal()
    for (const text of [other, '', 'x', 1, null, {}, `${seal.close({})}=`, 'A'.repeat(300_000)])
      expect(() => seal.open(text)).toThrow(expect.objectContaining({ code: -32602 }))
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeals, fingerprintOf } from './seal.js'

describe('a seal', () => {
  it('opens what it closed, and shows none of it', () => {
    const seal = createSeals().of('state')
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
    const seal = createSeals().of('state')
    const closed = Buffer.from(seal.close({ flow: 'x', round: 1 }), 'base64url')
    for (let at = 0; at < closed.length * 8; at++) {
      const changed = Buffer.from(closed)
      changed[at >> 3]! ^= 1 << (at & 7)
      expect(seal.open(changed.toString('base64url'))).toBeUndefined()
    }
  })

  it('opens nothing of another secret or purpose, and nothing that is no text of ours', () => {
    const other = createSeals().of('state').close({ a: 1 })
    const seals = createSeals()
    const seal = seals.of('state')
    const foreign = seals.of('session').close({ a: 1 })
    for (const text of [other, foreign, '', 'x', 1, null, {}, `${seal.close({})}=`, 'A'.repeat(300_000)])
      expect(seal.open(text)).toBeUndefined()
  })

  it('opens in every process that has the secret, and after the secret was changed while the earlier one is named', () => {
    const first = createSeals('a secret of thirty-two characters').of('session')
    const text = first.close({ session: 1 })
    expect(createSeals('a secret of thirty-two characters').of('session').open(text)).toEqual({ session: 1 })
    const next = createSeals('another secret that came after it', ['a secret of thirty-two characters']).of('session')
    expect(next.open(text)).toEqual({ session: 1 })
    expect(first.open(next.close({ session: 2 }))).toBeUndefined()
    expect(createSeals('another secret that came after it').of('session').open(text)).toBeUndefined()
  })

  it('looks for its secret when something is sealed, once, and names it by a fingerprint that is not it', () => {
    let asked = 0
    const seals = createSeals(() => {
      asked += 1
      return 'a secret of thirty-two characters'
    })
    const seal = seals.of('session')
    expect(asked).toBe(0)
    expect(seals.of('state').open(seals.of('state').close({ a: 1 }))).toEqual({ a: 1 })
    expect(seal.open(createSeals('a secret of thirty-two characters').of('session').close({ a: 1 }))).toEqual({ a: 1 })
    expect(asked).toBe(1)
    const fingerprint = fingerprintOf('a secret of thirty-two characters')
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
    expect(fingerprintOf('another secret that came after it')).not.toBe(fingerprint)
  })
})

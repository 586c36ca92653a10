import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../test/helpers/thrown-code.js'
import { assertPlain, type BoundCall, bindingOf, type CallGrant, looseBindingOf, readGrant, stateAt } from './grants.js'

const call: BoundCall = {
  caller: 'key:agent',
  profile: 'default',
  tool: 'billing.refund',
  definition: 'd'.repeat(64),
  rules: ['money'],
  terms: { by: ['operator'], withinMs: 900_000, remember: ['once'], waitMs: 45_000 },
  args: { amount: 250, to: 'ann' },
}

const withArgs = (args: unknown): string => bindingOf({ ...call, args })

describe('what an answer is bound to', () => {
  it('is the same whatever the order of keys, and for every spelling of one number', () => {
    expect(withArgs({ to: 'ann', amount: 250 })).toBe(bindingOf(call))
    expect(withArgs(JSON.parse('{"amount":250.0,"to":"ann"}'))).toBe(bindingOf(call))
    expect(withArgs(JSON.parse('{"amount":2.5e2,"to":"ann"}'))).toBe(bindingOf(call))
    expect(withArgs(JSON.parse('{"n":-0}'))).toBe(withArgs({ n: 0 }))
  })

  it.each<[string, unknown]>([
    ['another value', { amount: 251, to: 'ann' }],
    ['a text for a number', { amount: '250', to: 'ann' }],
    ['one more argument', { amount: 250, to: 'ann', dry_run: false }],
    ['one less', { amount: 250 }],
    ['a space behind', { amount: 250, to: 'ann ' }],
    ['a character nobody sees', { amount: 250, to: 'a\u200bnn' }],
    ['null for absent', { amount: 250, to: 'ann', note: null }],
    ['a list of the same', [{ amount: 250, to: 'ann' }]],
  ])('differs for %s', (_, args) => {
    expect(withArgs(args)).not.toBe(bindingOf(call))
  })

  it('differs for two normal forms of one text', () => {
    expect(withArgs({ to: 'é'.normalize('NFC') })).not.toBe(withArgs({ to: 'é'.normalize('NFD') }))
  })

  it.each<[string, Partial<BoundCall>]>([
    ['caller', { caller: 'key:other' }],
    ['profile', { profile: 'work' }],
    ['tool', { tool: 'billing.refund_all' }],
    ['definition', { definition: 'e'.repeat(64) }],
    ['rule', { rules: ['money-2'] }],
    ['second rule', { rules: ['money', 'night'] }],
    ['demand', { terms: { ...call.terms, by: ['caller'] } }],
  ])('differs for another %s', (_, changes) => {
    expect(bindingOf({ ...call, ...changes })).not.toBe(bindingOf(call))
  })

  it('cannot be moved from one part into the next', () => {
    const a = bindingOf({ ...call, caller: 'a', profile: 'bc' })
    expect(bindingOf({ ...call, caller: 'ab', profile: 'c' })).not.toBe(a)
  })

  it('leaves out what a rule excepts, for an answer of some minutes alone', () => {
    const terms = { ...call.terms, except: ['requestId'] }
    const [a, b] = [1, 2].map((requestId) => ({ ...call, terms, args: { amount: 5, requestId } }))
    expect(looseBindingOf(a!)).toBe(looseBindingOf(b!))
    expect(bindingOf(a!)).not.toBe(bindingOf(b!))
    expect(looseBindingOf({ ...a!, args: { amount: 6, requestId: 1 } })).not.toBe(looseBindingOf(a!))
    expect(looseBindingOf(call)).not.toBe(bindingOf(call))
  })

  it('is equal for equal JSON and for nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [one, two] = [a, b].map((value) => JSON.parse(JSON.stringify(value)))
        const same = withArgs(one) === withArgs(two)
        const equal = sorted(one) === sorted(two)
        expect(same).toBe(equal)
        expect(withArgs(structuredClone(one))).toBe(withArgs(one))
      }),
    )
  })

  it.each<[string, unknown]>([
    ['a function', { a: () => 1 }],
    ['a bigint, which is written like a text', { a: 5n }],
    ['what is no number, which is written like null', { a: Number.NaN }],
    ['a date', { a: new Date(0) }],
    ['an empty place', { a: [undefined] }],
    [
      'an object that writes itself',
      {
        a: new (class Sly {
          toJSON = () => 1
        })(),
      },
    ],
  ])('is not made of %s', (_, args) => {
    expect(codeOf(() => assertPlain(args))).toBe('APPROVAL_DENIED')
  })
})

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

describe('a grant in time', () => {
  const grant = {
    state: 'granted',
    askedAt: 1_000_000,
    answeredAt: 1_010_000,
    expiresAt: 1_910_000,
  } as CallGrant

  it('ends with its time, and with a clock that was set back', () => {
    expect(stateAt(grant, 1_909_999)).toBe('granted')
    expect(stateAt(grant, 1_910_000)).toBe('expired')
    expect(stateAt(grant, 1_010_000 - 59_000)).toBe('granted')
    expect(stateAt(grant, 1_010_000 - 61_000)).toBe('expired')
    expect(stateAt({ ...grant, holds: 'always' }, 9e12)).toBe('granted')
    expect(stateAt({ ...grant, holds: 'always' }, 0)).toBe('expired')
  })

  it('is none where the record cannot be read', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(readGrant(value as never)).toBeUndefined()))
    expect(readGrant(undefined)).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimAt, identityFrom, isIncomplete } from './claims.js'

const rules = {
  names: { name: 'preferred_username', groups: 'groups' },
  setting: 'auth.people.claims',
  groupsNeeded: true,
}
const base = { iss: 'https://idp.example', sub: 'a1' }

describe('a claim', () => {
  it.each([
    ['groups', { groups: ['a'] }, ['a']],
    ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['https://example.com/roles', { 'https://example.com/roles': ['a'] }, ['a']],
    ['https://example.com/x.roles', { 'https://example.com/x': { roles: ['a'] } }, ['a']],
    ['a.b.c', { 'a.b': { c: 1 }, a: { b: 2 } }, 1],
    ['constructor', {}, undefined],
    ['a.__proto__.b', { a: {} }, undefined],
    ['groups', { groups: null }, undefined],
  ])('is found at %s', (path, claims, found) => {
    expect(claimAt(claims, path)).toEqual(found)
  })

  it('is looked for in bounded time and only in what the claims themselves hold', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 256 }), fc.dictionary(fc.string(), fc.anything()), (path, claims) => {
        const found = claimAt(claims, path)
        if (!path.includes('.'))
          expect(found).toBe(Object.hasOwn(claims, path) ? (claims[path] ?? undefined) : undefined)
      }),
    )
  })
})

describe('who is meant', () => {
  it('is known by issuer and subject, with what people read', () => {
    const claims = { ...base, preferred_username: 'alice', email: 'a@x', email_verified: true, groups: ['eng', 'eng'] }
    expect(identityFrom(claims, rules)).toMatchObject({ subject: 'a1', name: 'alice', email: 'a@x', groups: ['eng'] })
    expect(identityFrom({ ...claims, groups: 'eng' }, rules).groups).toEqual(['eng'])
  })

  it.each([false, 'true', 1, undefined])('has no address that is verified only as %s', (verified) => {
    const claims = { ...base, groups: [], email: 'a@x', email_verified: verified }
    expect(identityFrom(claims, rules).email).toBeUndefined()
  })

  it.each([
    ['no groups claim', {}, /'groups' is missing.*auth\.people\.claims\.groups/],
    ["Entra's overage", { _claim_names: { groups: 'src1' } }, /app roles/],
    ["Entra's overage, implicit", { hasgroups: true }, /app roles/],
    ['a number', { groups: 5 }, /no list of names/],
    ['numbers in it', { groups: ['a', 5] }, /no list of names/],
    ['a name without end', { groups: ['x'.repeat(1025)] }, /no list of names/],
    ['100,000 groups', { groups: Array.from({ length: 100_000 }, (_, n) => `g${n}`) }, /at most 512/],
    ['no subject', { sub: undefined, groups: [] }, /sub/],
    ['an empty subject', { sub: '', groups: [] }, /sub/],
  ])('cannot be said with %s: loudly', (_, change, words) => {
    try {
      identityFrom({ ...base, ...change }, rules)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'SIGN_IN_FAILED', message: expect.stringMatching(words) })
    }
  })

  it('needs no groups where no grant asks for them', () => {
    const relaxed = { ...rules, groupsNeeded: false }
    expect(identityFrom(base, relaxed).groups).toBeUndefined()
    expect(identityFrom({ ...base, hasgroups: true }, relaxed).groups).toBeUndefined()
  })

  it('is asked further only where something is open', () => {
    expect(isIncomplete({ ...base, groups: [], name: 'A' }, rules)).toBe(false)
    expect(isIncomplete({ ...base, name: 'A' }, rules)).toBe(true)
    expect(isIncomplete({ ...base, groups: [] }, rules)).toBe(true)
    expect(isIncomplete({ ...base, name: 'A', hasgroups: true }, rules)).toBe(false)
  })

  it('is called by nothing that could not be shown', () => {
    for (const name of ['a\nb', '', ' ', 'x'.repeat(600), 5])
      expect(identityFrom({ ...base, groups: [], preferred_username: name }, rules).name).toBeUndefined()
  })
})

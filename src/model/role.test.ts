import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Right } from './caller.js'
import {
  admits,
  everyRight,
  heldRoles,
  mayGive,
  narrowed,
  oneOf,
  opens,
  rightsOfRole,
  roles,
  tokenScopes,
} from './role.js'

const scopes = fc.array(fc.oneof(fc.constantFrom(...tokenScopes), fc.string(), fc.constantFrom('mcp', 'constructor')))
const held = fc.subarray([...everyRight])
/** What these rights let somebody do; whoever may call may call what is read-only. */
const reach = (rights: readonly Right[]): ReadonlySet<Right> =>
  new Set([...rights, ...(rights.includes('call') ? (['call:readonly'] as const) : [])])
const isWithin = (some: readonly Right[], all: readonly Right[]): boolean =>
  [...reach(some)].every((right) => reach(all).has(right))

describe('a role', () => {
  it('is made of rights that there are', () => {
    for (const role of roles) expect(everyRight).toEqual(expect.arrayContaining([...rightsOfRole(role)]))
    expect(rightsOfRole('none')).toEqual([])
    expect(everyRight.filter((right) => !reach(rightsOfRole('admin')).has(right))).toEqual([])
  })

  it('that reads calls nothing but what is read-only, and administers nothing', () => {
    expect(rightsOfRole('reader')).toEqual(['discover', 'call:readonly'])
    expect(rightsOfRole('caller')).toEqual(['discover', 'call'])
    expect(rightsOfRole('viewer')).toEqual(['look'])
    expect(rightsOfRole('operator')).not.toContain('admin')
    expect(rightsOfRole('operator')).not.toContain('spawn')
  })

  it('is given only by those who have as much', () => {
    expect(heldRoles.filter((role) => mayGive(rightsOfRole('admin'), rightsOfRole(role)))).toEqual([...heldRoles])
    expect(mayGive(['admin'], rightsOfRole('caller'))).toBe(false)
    expect(mayGive(rightsOfRole('operator'), rightsOfRole('admin'))).toBe(false)
    fc.assert(fc.property(held, held, (own, given) => mayGive(own, given) === isWithin(given, own)))
  })
})

describe('the scopes of a token', () => {
  it('only take away, whatever they are', () => {
    fc.assert(fc.property(held, scopes, (rights, asked) => isWithin(narrowed(rights, asked), rights)))
  })

  it('give more the more there are, and nothing more for an order or a word said twice', () => {
    fc.assert(
      fc.property(held, scopes, scopes, (rights, some, more) => {
        expect(isWithin(narrowed(rights, some), narrowed(rights, [...some, ...more]))).toBe(true)
        const back = narrowed(rights, [...some, ...more].reverse())
        expect(reach(narrowed(rights, [...more, ...some, ...some]))).toEqual(reach(back))
      }),
    )
  })

  it('include those before them on their side', () => {
    fc.assert(
      fc.property(held, fc.constantFrom(...tokenScopes), (rights, scope) => {
        const side = tokenScopes.filter((each) => each.split(':')[0] === scope.split(':')[0])
        const smaller = side.slice(0, side.indexOf(scope) + 1)
        expect(reach(narrowed(rights, smaller))).toEqual(reach(narrowed(rights, [scope])))
      }),
    )
  })

  it('leave nothing where no word is known', () => {
    fc.assert(
      fc.property(held, fc.array(fc.string()), (rights, words) => {
        const strange = words.filter((word) => !(tokenScopes as readonly string[]).includes(word))
        expect(narrowed(rights, strange)).toEqual([])
      }),
    )
    expect(narrowed(everyRight, ['constructor', '__proto__', 'toString'])).toEqual([])
  })

  it('that only read leave a caller what is read-only', () => {
    expect(narrowed(rightsOfRole('caller'), ['mcp:read'])).toEqual(['discover', 'call:readonly'])
    expect(narrowed(rightsOfRole('admin'), ['board:view'])).toEqual(['look'])
    expect(narrowed(rightsOfRole('reader'), ['mcp:register'])).toEqual(['discover', 'call:readonly'])
  })
})

describe('a route', () => {
  it('is opened by its right; one for calls also by the right to call what is read-only', () => {
    expect(admits(['call:readonly'], 'call')).toBe(true)
    expect(admits(['call'], 'admin')).toBe(false)
    expect(admits(['admin'], 'call')).toBe(false)
    expect(admits(['look'], 'operate')).toBe(false)
  })

  it('of figures is opened by either of two rights, and tells which of them somebody has', () => {
    for (const right of ['discover', 'look'] as const) {
      expect(opens([right], 'discover or look')).toBe(true)
      expect(oneOf('discover or look', [right])).toBe(right)
    }
    expect(opens(['call', 'register'], 'discover or look')).toBe(false)
    expect(opens(['call:readonly'], 'call')).toBe(true)
    expect(oneOf('admin', ['look'])).toBe('admin')
  })
})

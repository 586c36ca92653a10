import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Identity } from '../model/caller.js'
import { rightsOfRole, roles, tokenScopes } from '../model/role.js'
import { type Applicant, callerBy, explainGrant, fits, type GrantRow, grantOf } from './grants.js'
import { identityOf } from './identity.js'

const identity = (facts: Partial<Omit<Identity, 'id'>> = {}) =>
  identityOf({ issuer: 'https://idp.example.com', subject: 'ann', ...facts })
const ann: Applicant = { kind: 'person', identity: identity({ email: 'ann@example.com', groups: ['eng'] }) }
const bot: Applicant = { kind: 'machine', identity: identity({ subject: 'ci-bot' }), client: 'ci' }

describe('a row of the grants', () => {
  it('is for groups, machines, verified addresses, or everyone', () => {
    expect(fits({ groups: ['sales', 'eng'], role: 'caller' }, ann)).toBe(true)
    expect(fits({ people: ['ANN@example.com'], role: 'caller' }, ann)).toBe(true)
    expect(fits({ people: [ann.identity.id], role: 'caller' }, ann)).toBe(true)
    expect(fits({ clients: ['ci-bot'], role: 'caller' }, bot)).toBe(true)
    expect(fits({ clients: ['ci'], role: 'caller' }, bot)).toBe(true)
    expect(fits({ everyone: true, role: 'caller' }, bot)).toBe(true)
  })

  it('is not for a person with the name of a machine, nor the other way round, nor for a name that is no prefix', () => {
    expect(fits({ clients: ['ann'], role: 'admin' }, ann)).toBe(false)
    expect(fits({ people: ['ci-bot'], role: 'admin' }, bot)).toBe(false)
    expect(fits({ groups: ['en', 'engineering', 'ENG'], role: 'admin' }, ann)).toBe(false)
    expect(fits({ people: ['ann@example.com'], role: 'admin' }, { ...ann, identity: identity() })).toBe(false)
  })

  it('that says none keeps out whoever it fits, though a later one would let them in', () => {
    const rows: GrantRow[] = [
      { people: ['ann@example.com'], role: 'none' },
      { everyone: true, role: 'caller' },
    ]
    expect(grantOf(rows, ann)).toBeUndefined()
    expect(grantOf(rows, bot)).toMatchObject({ row: 1, role: 'caller', profiles: ['default'] })
    expect(explainGrant(rows, ann).steps).toHaveLength(1)
  })
})

describe('the story of a grant', () => {
  const rows: GrantRow[] = [
    { groups: ['platform'], role: 'admin', profiles: ['*'] },
    { clients: ['ci-bot'], people: ['bob@example.com'], role: 'reader', profiles: ['ci'] },
    { groups: ['eng'], role: 'caller', profiles: ['eng', 'default'] },
    { everyone: true, role: 'reader' },
  ]

  it('says which row counts, and why those before it do not', () => {
    expect(explainGrant(rows, ann)).toMatchObject({
      steps: [
        { row: 0, missed: [{ condition: 'groups', why: 'not-named' }] },
        {
          row: 1,
          missed: [
            { condition: 'clients', why: 'no-machine' },
            { condition: 'people', why: 'not-named' },
          ],
        },
        { row: 2, by: { condition: 'groups', entry: 'eng' }, missed: [] },
      ],
      granted: { row: 2, role: 'caller', profiles: ['eng', 'default'] },
    })
    const nobody = { kind: 'person', identity: identity() } as const
    expect(explainGrant(rows.slice(0, 2), nobody)).toEqual({
      granted: undefined,
      steps: [
        { row: 0, role: 'admin', by: undefined, missed: [{ condition: 'groups', why: 'no-groups' }] },
        {
          row: 1,
          role: 'reader',
          by: undefined,
          missed: [
            { condition: 'clients', why: 'no-machine' },
            { condition: 'people', why: 'no-verified-address' },
          ],
        },
      ],
    })
    expect(explainGrant(rows.slice(1, 2), bot).steps[0]).toMatchObject({
      by: { condition: 'clients', entry: 'ci-bot' },
    })
    expect(explainGrant([{ people: ['x@example.com'], role: 'caller' }], bot).steps[0]?.missed).toEqual([
      { condition: 'people', why: 'no-person' },
    ])
  })

  const name = fc.constantFrom('eng', 'sre', 'ann', 'ann@example.com', 'ci-bot', 'Ann@Example.com')
  const names = fc.option(fc.array(name, { maxLength: 3 }), { nil: undefined })
  const row: fc.Arbitrary<GrantRow> = fc.record({
    groups: names,
    clients: names,
    people: names,
    everyone: fc.constantFrom<true | undefined>(undefined, undefined, undefined, true),
    role: fc.constantFrom(...roles),
    profiles: fc.option(fc.array(fc.constantFrom('default', 'eng', '*'), { minLength: 1, maxLength: 2 }), {
      nil: undefined,
    }),
  })
  const applicant: fc.Arbitrary<Applicant> = fc
    .record({
      kind: fc.constantFrom('person' as const, 'machine' as const),
      client: fc.option(name, { nil: undefined }),
      email: fc.option(name, { nil: undefined }),
      groups: names,
      subject: name,
    })
    .map(({ kind, client, email, groups, subject }) => ({
      kind,
      client,
      identity: identityOf({ issuer: 'https://idp.example.com', subject, email, groups }),
    }))

  it('agrees with the table, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), applicant, (rows, who) => {
        const { steps, granted } = explainGrant(rows, who)
        const counted = rows.findIndex((each) => fits(each, who))
        expect(steps.length).toBe(counted < 0 ? rows.length : counted + 1)
        expect(steps.findIndex(({ by }) => by !== undefined)).toBe(counted)
        expect(granted).toEqual(grantOf(rows, who))
        for (const { by, missed, row: index } of steps) {
          expect(fits(rows[index]!, who)).toBe(by !== undefined)
          if (by) expect(missed).toEqual([])
        }
      }),
    )
  })

  it('gives the rights of one role and no others; scopes take away, and more of them take away less', () => {
    const scopes = fc.array(fc.constantFrom(...tokenScopes, 'openid', 'mcp:*'), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), applicant, scopes, scopes, (rows, who, some, more) => {
        const granted = grantOf(rows, who)
        if (!granted) return
        const whole = rightsOfRole(granted.role)
        expect(granted.rights).toEqual(whole)
        const may = (list: readonly string[] | undefined) => callerBy(who, granted, { scopes: list }).rights
        const within = (less: readonly string[], all: readonly string[]) =>
          less.every((right) => all.includes(right) || (right === 'call:readonly' && all.includes('call')))
        expect(may(undefined)).toEqual(whole)
        expect(within(may(some), whole)).toBe(true)
        expect(within(may(some), may([...some, ...more]))).toBe(true)
      }),
    )
  })

  it('is that of the first row alone: what stands behind it changes nothing', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), fc.array(row, { maxLength: 4 }), applicant, (rows, more, who) => {
        if (rows.some((each) => fits(each, who))) expect(grantOf([...rows, ...more], who)).toEqual(grantOf(rows, who))
      }),
    )
  })
})

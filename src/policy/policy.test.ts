import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localCaller, type Right } from '../model/caller.js'
import { matchesGlob } from '../model/glob.js'
import { createPolicy } from './policy.js'

const tool = (id: string) => ({
  id,
  namespace: '',
  name: id,
  source: 's',
  tags: [],
  definition: { name: id, inputSchema: {} },
})
const sees = (rules: Parameters<typeof createPolicy>[0], id: string) =>
  createPolicy(rules).decide(localCaller, tool(id), 'see').allowed

describe('glob', () => {
  it.each([
    ['github.*', 'github.create_pr', true],
    ['github.*', 'github', false],
    ['*.delete_*', 'a.delete_all', true],
    ['*', '', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['', '', true],
    ['', 'a', false],
    ['[ab]', 'a', false],
  ])('%s on %s is %s', (pattern, name, expected) => {
    expect(matchesGlob(pattern, name)).toBe(expected)
  })

  it('agrees with a regular expression of the same meaning', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        const source = pattern
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replace(/\*/g, '[^]*')
          .replace(/\?/g, '[^]')
        expect(matchesGlob(pattern, name)).toBe(new RegExp(`^${source}$`).test(name))
      }),
    )
  })

  it('T27 is not slowed by a hostile pattern', () => {
    expect(matchesGlob('a*'.repeat(200).concat('b'), 'a'.repeat(5000))).toBe(false)
  })
})

describe('policy', () => {
  it('allows everything without rules, and nobody anything with an empty allow list', () => {
    expect(sees({}, 'x')).toBe(true)
    expect(sees({ allow: [] }, 'x')).toBe(false)
  })

  it('lets deny win over allow', () => {
    const rules = { allow: ['github.*'], deny: ['*.delete_*'] }
    expect(sees(rules, 'github.list')).toBe(true)
    expect(sees(rules, 'github.delete_repo')).toBe(false)
    expect(sees(rules, 'gitlab.list')).toBe(false)
  })

  it('asks for the right that the action needs', () => {
    const reader = { id: 'reader', rights: ['discover'] as const }
    const policy = createPolicy()
    expect(policy.decide(reader, tool('x'), 'see').allowed).toBe(true)
    expect(policy.decide(reader, tool('x'), 'call')).toEqual({
      allowed: false,
      seen: true,
      reason: "'reader' lacks the right 'call'",
    })
  })

  it('adds a profile’s rules to those for everybody, and shows nothing under a profile that does not exist', () => {
    const policy = createPolicy({ deny: ['*.secret'], profiles: { home: { allow: ['light.*'] } } })
    const as = (profile: string | undefined, id: string) =>
      policy.decide(profile === undefined ? localCaller : { ...localCaller, profile }, tool(id), 'see').allowed
    expect([as('home', 'light.on'), as('home', 'light.secret'), as('home', 'mail.send')]).toEqual([true, false, false])
    expect([as(undefined, 'mail.send'), as('default', 'mail.send'), as('typo', 'mail.send')]).toEqual([
      true,
      true,
      false,
    ])
    expect(as('__proto__', 'mail.send')).toBe(false)
  })

  it('takes new rules at once and says that it did', () => {
    const policy = createPolicy()
    const before = policy.version
    policy.update({ deny: ['*'] })
    expect(policy.version).not.toBe(before)
    expect(policy.decide(localCaller, tool('x'), 'see').allowed).toBe(false)
  })

  it('says with one answer whether a thing may be called and whether it may be known of', () => {
    const policy = createPolicy({ deny: ['hidden'] })
    const says = (rights: readonly Right[], id: string) => {
      const { allowed, seen } = policy.decide({ id: 'c', rights }, tool(id), 'call')
      return allowed ? 'allowed' : seen ? 'forbidden' : 'absent'
    }
    expect(says(['discover', 'call'], 'x')).toBe('allowed')
    expect(says(['discover'], 'x')).toBe('forbidden')
    expect(says(['discover'], 'hidden')).toBe('absent')
    // Who may not look around cannot call what it guesses.
    expect(says(['call'], 'x')).toBe('absent')
  })

  it('hides what belongs to a source that is down from profiles that want it so, and from nobody else (U1)', () => {
    const policy = createPolicy({ profiles: { strict: { hideDown: true } } })
    const told: number[] = []
    policy.onChange(() => told.push(policy.version))
    const sees = (profile: string, source: string) =>
      policy.decide({ ...localCaller, profile }, { id: `${source}.x`, source }, 'see').allowed
    policy.noteDown('mail', true)
    policy.noteDown('mail', undefined)
    expect([sees('strict', 'mail'), sees('strict', 'light'), sees('default', 'mail')]).toEqual([false, true, true])
    policy.noteDown('mail', false)
    expect(sees('strict', 'mail')).toBe(true)
    expect(told).toHaveLength(2)
    policy.update({})
    policy.noteDown('mail', true)
    expect(told).toHaveLength(3)
  })
})

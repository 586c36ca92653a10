import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../model/caller.js'
import { narrowed, rightsOfRole } from '../model/role.js'
import type { ToolAnnotations } from '../model/tool.js'
import { type EffectWords, effectOf, suggestionOf, whyNotReadonly } from './effects.js'
import { createPolicy } from './policy.js'

const tool = (id: string, annotations?: ToolAnnotations) => ({
  ...{ id, namespace: 'github', name: id, source: 'github', tags: [] },
  definition: { name: id, inputSchema: { type: 'object' }, annotations },
})
const words = (stated: boolean, trusted: boolean): EffectWords => ({ isStated: () => stated, trusts: () => trusted })
const reader: Caller = { id: 'key:1', rights: rightsOfRole('reader') }
const hint = fc.constantFrom<boolean | undefined>(true, false, undefined)

describe('what a tool does', () => {
  it('is unknown, and unknown is not read-only, however the tool praises itself', () => {
    expect(effectOf(tool('a'), [], words(false, false))).toEqual({ readonly: false, why: 'unsaid' })
    expect(effectOf(tool('a', { readOnlyHint: true }), [], words(false, false))).toMatchObject({ readonly: false })
  })

  it('is said by a pattern of the profile, by an approver, or by a source that is trusted', () => {
    expect(effectOf(tool('github.get_x'), ['github.get_*'], words(false, false))).toMatchObject({ by: 'profile' })
    expect(effectOf(tool('a'), [], words(true, false))).toMatchObject({ by: 'approver' })
    expect(effectOf(tool('a', { readOnlyHint: true }), [], words(false, true))).toMatchObject({ by: 'annotations' })
    expect(effectOf(tool('a'), [], words(false, true))).toMatchObject({ readonly: false })
  })

  it('that calls itself destructive is never read-only, whoever says so', () => {
    fc.assert(
      fc.property(hint, fc.boolean(), fc.boolean(), fc.boolean(), (readOnlyHint, stated, trusted, matched) => {
        const asked = tool('a', { readOnlyHint, destructiveHint: true })
        expect(effectOf(asked, matched ? ['*'] : [], words(stated, trusted))).toEqual({
          readonly: false,
          why: 'destructive',
        })
      }),
    )
  })

  it('is never read-only by a stranger alone: without a word of ours no hint changes anything', () => {
    fc.assert(
      fc.property(hint, hint, fc.dictionary(fc.string(), fc.anything()), (readOnlyHint, destructiveHint, more) => {
        const asked = tool('a', { ...more, readOnlyHint, destructiveHint })
        expect(effectOf(asked, undefined, words(false, false)).readonly).toBe(false)
      }),
    )
  })

  it('counts by the tool itself: patterns see no name that a caller wrote', () => {
    expect(effectOf({ id: 'github.get', own: undefined }, ['*'], words(true, true)).readonly).toBe(false)
    expect(effectOf(tool('x.github.get_y'), ['github.get_*'], words(false, false)).readonly).toBe(false)
  })

  it('is suggested by its hints, and shown so', () => {
    expect(suggestionOf(tool('a', { readOnlyHint: true }).definition)).toBe('readonly')
    expect(suggestionOf(tool('a', { readOnlyHint: true, destructiveHint: true }).definition)).toBe('destructive')
    expect(suggestionOf(tool('a').definition)).toBeUndefined()
    expect(whyNotReadonly(tool('a'), 'unsaid')).toContain('pegboard approvals effect a readonly')
    expect(whyNotReadonly(tool('a'), 'destructive')).toContain('destructive')
    expect(whyNotReadonly({ id: 'tasks/list' }, 'unsaid')).not.toContain('approvals')
  })
})

describe('a reader', () => {
  const policy = createPolicy(
    { profiles: { default: { readonly: ['github.get_*'] }, eng: { readonly: ['github.*'] } } },
    { effects: words(false, false) },
  )

  it('sees everything, calls what is read-only, and is told what the rest lacks', () => {
    expect(policy.decide(reader, tool('github.delete'), 'see').allowed).toBe(true)
    expect(policy.decide(reader, tool('github.get_x'), 'call').allowed).toBe(true)
    expect(policy.decide(reader, tool('github.delete'), 'call')).toMatchObject({ allowed: false, seen: true })
  })

  it('reads by the words of its own profile', () => {
    expect(policy.decide({ ...reader, profile: 'eng' }, tool('github.list'), 'call').allowed).toBe(true)
    expect(policy.decide(reader, tool('github.list'), 'call').allowed).toBe(false)
    // A profile that nobody defined shows nothing.
    expect(policy.decide({ ...reader, profile: 'typo' }, tool('github.get_x'), 'call').allowed).toBe(false)
  })

  it('may do nothing that a caller may not', () => {
    const id = fc.constantFrom('github.get_x', 'github.list', 'github.delete', 'other.get')
    const caller: Caller = { id: 'key:2', rights: rightsOfRole('caller') }
    fc.assert(
      fc.property(id, hint, hint, (name, readOnlyHint, destructiveHint) => {
        const asked = tool(name, { readOnlyHint, destructiveHint })
        for (const action of ['see', 'call'] as const)
          if (policy.decide(reader, asked, action).allowed)
            expect(policy.decide(caller, asked, action).allowed).toBe(true)
      }),
    )
  })

  it('is what a token of few scopes makes of a caller; without any call at all nothing is called', () => {
    const few: Caller = { id: 'person:1', rights: narrowed(rightsOfRole('admin'), ['mcp:read']) }
    expect(policy.decide(few, tool('github.get_x'), 'call').allowed).toBe(true)
    expect(policy.decide(few, tool('github.delete'), 'call').allowed).toBe(false)
    const viewer: Caller = { id: 'key:3', rights: rightsOfRole('viewer') }
    expect(policy.decide(viewer, tool('github.get_x'), 'see').allowed).toBe(false)
    expect(policy.decide({ id: 'x', rights: ['discover'] }, tool('github.get_x'), 'call')).toMatchObject({
      reason: "'x' lacks the right 'call'",
    })
  })

  it('hears of a word that was taken back: whoever remembers a decision forgets it', () => {
    const before = policy.version
    policy.recheck()
    expect(policy.version).toBe(before + 1)
    expect(policy.effectOf(tool('github.get_x'))).toMatchObject({ readonly: true, by: 'profile' })
    expect(policy.effectOf({ id: 'call_tool', own: true, owner: undefined })).toMatchObject({ by: 'board' })
  })
})

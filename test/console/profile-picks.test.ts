import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupsOf, matches, type PickRules, pickedBy, withPicks } from '../../console/src/pages/profile-picks.js'
import { matchesGlob } from '../../src/model/glob.js'

const tools = [
  ...['add', 'sub', 'mul', 'div', 'root'].map((name) => ({ id: `calc.${name}`, source: 'calc' })),
  ...['read_file', 'write_file'].map((name) => ({ id: `disk.${name}`, source: 'disk' })),
  ...['read_mail', 'send.now'].map((name) => ({ id: `mail.${name}`, source: 'mail' })),
  { id: 'bare', source: 'local' },
]
const ids = tools.map(({ id }) => id)

describe('the tree of a profile (G7)', () => {
  it('reads patterns as the gateway does', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 8 })
    const plain = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    fc.assert(
      fc.property(
        letters,
        plain,
        (pattern, name) => void expect(matches(pattern, name)).toBe(matchesGlob(pattern, name)),
      ),
      { numRuns: 2000 },
    )
  })

  it('shows exactly what is ticked, whatever was written before', () => {
    const pattern = fc.constantFrom('*', 'calc.*', '*.read_*', 'mail.*', 'disk.write_file', 'gone.*', '?alc.a*', 'bare')
    const list = fc.array(pattern, { maxLength: 4 })
    const rules = fc.record({ allow: fc.option(list, { nil: undefined }), deny: list })
    const ticks = fc.array(fc.record({ ids: fc.subarray(ids), on: fc.boolean() }), { maxLength: 4 })
    fc.assert(
      fc.property(rules, ticks, (start, changes) => {
        let now: PickRules = start
        for (const { ids: chosen, on } of changes) {
          const wanted = new Set(pickedBy(now, tools))
          for (const id of chosen) on ? wanted.add(id) : wanted.delete(id)
          now = withPicks(now, tools, chosen, on)
          expect([...pickedBy(now, tools)].sort()).toEqual([...wanted].sort())
          expect(now.allow === undefined).toBe(start.allow === undefined)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('writes what people can read: a source, with its exceptions', () => {
    const none: PickRules = { allow: [], deny: [] }
    const calc = withPicks(none, tools, groupsOf(tools)[0]!.ids, true)
    expect(calc).toEqual({ allow: ['calc.*'], deny: [] })
    const but = withPicks(calc, tools, ['calc.div'], false)
    expect(but).toEqual({ allow: ['calc.*'], deny: ['calc.div'] })
    expect(withPicks(but, tools, ['calc.div'], true)).toEqual({ allow: ['calc.*'], deny: [] })
    expect(withPicks(none, tools, ['calc.add', 'disk.read_file'], true)).toEqual({
      allow: ['calc.add', 'disk.read_file'],
      deny: [],
    })
    const all: PickRules = { allow: undefined, deny: [] }
    expect(withPicks(all, tools, ['disk.read_file', 'disk.write_file', 'calc.add'], false)).toEqual({
      allow: undefined,
      deny: ['calc.add', 'disk.*'],
    })
  })

  it('leaves patterns that people wrote as they are while they are true', () => {
    const written: PickRules = { allow: ['*.read_*', 'later.*'], deny: ['*.secret'] }
    expect(withPicks(written, tools, ['calc.add'], true)).toEqual({
      allow: ['*.read_*', 'later.*', 'calc.add'],
      deny: ['*.secret'],
    })
    expect(withPicks(written, tools, ['disk.read_file'], false).allow).toEqual(['later.*', 'mail.read_mail'])
  })

  it('knows what names a source and nothing else', () => {
    expect(groupsOf(tools).map(({ source, pattern }) => [source, pattern])).toEqual([
      ['calc', 'calc.*'],
      ['disk', 'disk.*'],
      ['local', undefined],
      ['mail', 'mail.*'],
    ])
    const mixed = [...tools, { id: 'calc.other', source: 'second' }]
    expect(groupsOf(mixed)[0]?.pattern).toBeUndefined()
  })
})

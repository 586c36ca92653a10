import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedBetween,
  changesAt,
  overlap,
  parseChanges,
  toChanges,
  withAsked,
  withChanges,
  withoutOwn,
} from './config-change.js'
import { fingerprintOf } from './fingerprint.js'

const edit = (place: string, value?: unknown) => ({ path: place.split('.'), value })
const file = { mcpServers: { docs: { url: 'https://docs.example' } }, calls: { timeoutMs: 1000 }, profiles: {} }

describe('a change over the file', () => {
  const made = (...edits: ReturnType<typeof edit>[]) => withAsked([], toChanges(edits), file)

  it('adds, replaces and takes out, in whichever section the file keeps its sources', () => {
    const changes = made(edit('sources.new', { command: 'x' }), edit('sources.docs'), edit('calls.timeoutMs', 5))
    expect(withChanges(file, changes)).toEqual({
      mcpServers: { new: { command: 'x' } },
      calls: { timeoutMs: 5 },
      profiles: {},
    })
    expect(withChanges({}, changes)).toEqual({ sources: { new: { command: 'x' } }, calls: { timeoutMs: 5 } })
    expect(file.mcpServers.docs).toBeDefined()
  })

  it('is one per place: a later one takes the place of those at it and below, or goes inside one above', () => {
    expect(made(edit('sources.a', { command: 'x' }), edit('sources.a.enabled', false))).toEqual([
      { path: ['sources', 'a'], value: { command: 'x', enabled: false } },
    ])
    expect(made(edit('sources.docs.enabled', false), edit('mcpServers.docs', { command: 'y' }))).toEqual([
      { path: ['sources', 'docs'], value: { command: 'y' } },
    ])
  })

  it('is forgotten where it says what the file says', () => {
    expect(made(edit('sources.a', { command: 'x' }), edit('sources.a'))).toEqual([])
    expect(made(edit('calls.timeoutMs', 5), edit('calls.timeoutMs', 1000))).toEqual([])
  })

  it.each([
    ['storage.backend', 'json'],
    ['fleet.secret', 'x'],
    ['__proto__.polluted', 1],
    ['profiles.__proto__', {}],
  ])('cannot be made at %s', (place, value) =>
    expect(() => toChanges([edit(place, value)])).toThrow(/edit the configuration file/),
  )

  it('is bounded', () => {
    expect(() => made(edit('profiles.a', { description: 'x'.repeat(200_000) }))).toThrow(/128 KiB/)
  })

  it('says no more than was asked for, whatever was there: what was asked last is what is read (property)', () => {
    const key = fc.constantFrom('sources', 'profiles', 'a', 'b', 'calls')
    const place = fc.array(key, { minLength: 1, maxLength: 4 })
    const value = fc.option(fc.oneof(fc.integer(), fc.dictionary(key, fc.integer())), { nil: undefined })
    fc.assert(
      fc.property(fc.array(fc.record({ path: place, value }, { requiredKeys: ['path', 'value'] })), (edits) => {
        let changes = withAsked([], [], {})
        for (const each of edits) {
          changes = withAsked(changes, toChanges([each]), {})
          // Nothing stands both at a place and below it, so the order of changes says nothing.
          for (const one of changes) expect(changes.filter((other) => overlap([one], [other]))).toEqual([one])
          expect(parseChanges(JSON.parse(JSON.stringify(changes)))).toBeDefined()
        }
      }),
    )
  })

  it('touches another where one holds the other', () => {
    const [whole, inside, beside] = [[edit('sources.a', {})], [edit('sources.a.enabled', true)], [edit('sources.b')]]
    expect([overlap(whole, inside), overlap(inside, whole), overlap(whole, beside)]).toEqual([true, true, false])
    expect(changedBetween(whole, [...whole, ...beside])).toEqual(beside)
    expect(changedBetween(whole, inside)).toHaveLength(2)
  })

  it('is found by what people type', () => {
    const changes = made(edit('sources.a', { command: 'x' }), edit('sources.ab', { command: 'x' }))
    expect(changesAt(changes, 'sources.a')).toEqual([changes[0]])
    expect(changesAt(changes, 'mcpServers.a')).toEqual([changes[0]])
    expect(changesAt(changes, 'sources')).toEqual(changes)
    expect(changesAt(changes, undefined)).toEqual(changes)
  })

  it.each([
    [null],
    [{}],
    [[{ path: [] }]],
    [[{ path: ['__proto__'] }]],
    [[{ path: ['storage', 'url'], value: 'x' }]],
    [[{}]],
  ])('that is none is none: %j', (value) => expect(parseChanges(value)).toBeUndefined())
})

describe('what of a file needs a yes while changes are over it (S1)', () => {
  const off = { sources: { sly: { command: 'evil', enabled: false }, mine: { command: 'a' } } }
  const needed = (...edits: ReturnType<typeof edit>[]) => [
    ...fingerprintOf(withoutOwn(off, toChanges(edits)), {}).sources.keys(),
  ]

  it('is an entry of the file that was switched on from afar: who did has not written what it runs', () =>
    expect(needed(edit('sources.sly.enabled', true))).toEqual(['sly', 'mine']))

  it('is no entry that was written whole: who wrote it has said so', () => {
    expect(needed(edit('sources.mine', { command: 'b' }))).toEqual([])
    expect(needed(edit('sources.other', { command: 'b' }))).toEqual(['mine'])
  })

  it('are settings as the file has them', () => {
    const settings = (...edits: ReturnType<typeof edit>[]) =>
      fingerprintOf(withoutOwn({ auth: { apiKey: 'x' } }, toChanges(edits)), {}).settings
    expect(settings(edit('auth.apiKey', 'y'))).toBe(settings())
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEvent } from '../../console/src/api/event.js'
import { putIn } from '../../console/src/i18n/put-in.js'
import { words } from '../../console/src/i18n/words.js'
import { connectWords } from '../../console/src/i18n/words-connect.js'
import { toolWords } from '../../console/src/i18n/words-tools.js'
import { tryWords } from '../../console/src/i18n/words-try.js'
import { diffLines, foldDiff } from '../../console/src/pages/diff.js'
import { fieldAt, leftArgument, toOverride, toOverrideDraft } from '../../console/src/pages/override-draft.js'
import { toProfile, toProfileDraft } from '../../console/src/pages/profile-draft.js'
import { changesIn } from '../../console/src/pages/setting-draft.js'
import type { JsonObject } from '../../src/model/json.js'

describe('the difference of two definitions', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 30 }).map((lines) => lines.join('\n'))

  it('holds both texts, whatever they are', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        const side = (kind: string) =>
          lines
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map((line) => line.text)
            .join('\n')
        expect(side('gone')).toBe(before)
        expect(side('new')).toBe(after)
      }),
    )
  })

  it('of texts too long to compare shows both whole', () => {
    const long = Array.from({ length: 3000 }, (_, n) => String(n)).join('\n')
    expect(diffLines(long, 'x')).toHaveLength(3001)
  })

  it('is folded to its changes and what stands around them', () => {
    const before = Array.from({ length: 40 }, (_, n) => String(n)).join('\n')
    const folded = foldDiff(diffLines(before, before.replace('20', 'twenty')))
    expect(folded).toHaveLength(10)
    expect(folded[0]).toBe('left-out')
    expect(folded.at(-1)).toBe('left-out')
  })
})

describe('the form of a profile', () => {
  it('gives back what it was given, with what it does not know', () => {
    const patterns = fc.array(fc.constantFrom('a.*', '*.b', 'c.d'), { minLength: 1, maxLength: 3 })
    const profile = fc.record(
      {
        description: fc.constantFrom('For the kitchen'),
        expose: fc.constantFrom('flat', 'search', 'hybrid'),
        allow: fc.array(fc.constantFrom('a.*', '*.b'), { maxLength: 3 }),
        deny: patterns,
        pin: patterns,
        namespacing: fc.boolean(),
        names: fc.constantFrom('exact', 'safe'),
        limits: fc.constant({ concurrency: 2 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(profile, (written) => void expect(toProfile(toProfileDraft(written), written)).toEqual(written)),
    )
  })

  it('tells all tools from none', () => {
    expect(toProfile({ ...toProfileDraft({}), shows: 'some' }, {})).toEqual({ allow: [] })
    expect(toProfile({ ...toProfileDraft({ allow: ['a.*'] }), shows: 'all' }, {})).toEqual({})
  })
})

describe('the form of how a tool is shown', () => {
  const upstream = {
    name: 'mail',
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, days: { type: 'integer' }, 'a.b': {} } },
  }
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant('$caller.id'))
  const argument = fc.oneof(
    fc.record({ set: value }),
    fc.record({ set: value, secret: fc.constant(true) }),
    fc.constant({ hide: true }),
    fc.record(
      { default: value, description: fc.string({ minLength: 1 }), maxLength: fc.nat(), enum: fc.constant(['x', 1]) },
      { requiredKeys: ['default'] },
    ),
    fc.constant({ required: true }),
  )
  const places = fc.array(fc.constantFrom('/a', '/b/*/c'), { minLength: 1, maxLength: 3 })
  const written = fc.record(
    {
      enabled: fc.boolean(),
      name: fc.constant('post'),
      title: fc.string(),
      description: fc.string(),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      annotations: fc.record({ readOnlyHint: fc.boolean(), title: fc.string() }),
      arguments: fc.dictionary(fc.constantFrom('to', 'days', 'a.b', 'gone', '__proto__'), argument, { minKeys: 1 }),
      result: fc.record({ pick: places, redact: places, maxBytes: fc.integer({ min: 64, max: 999 }) }),
    },
    { requiredKeys: [] },
  )

  it('gives back what it was given, whatever that is', () => {
    fc.assert(
      fc.property(written, (given) => {
        const entry = given as unknown as JsonObject
        expect(toOverride(toOverrideDraft(entry, upstream), entry, upstream)).toEqual({ override: given, unread: [] })
      }),
    )
  })

  it('changes one argument and leaves the others, takes text as it is and everything else as JSON', () => {
    const before: JsonObject = { arguments: { to: { set: '***', secret: true } } }
    const draft = toOverrideDraft(before, upstream)
    const edited = (name: string, change: object) => {
      const argument = { ...leftArgument, ...draft.arguments[name], ...change }
      return toOverride({ ...draft, arguments: { ...draft.arguments, [name]: argument } }, before, upstream)
    }
    const argumentsOf = (name: string, change: object) => edited(name, change).override.arguments
    expect(argumentsOf('days', { mode: 'default', value: '5' })).toEqual({
      ...(before.arguments as JsonObject),
      days: { default: 5 },
    })
    expect(argumentsOf('days', { mode: 'set', value: '$now' })).toMatchObject({ days: { set: '$now' } })
    expect(argumentsOf('to', { value: '5' })).toEqual({ to: { set: '5', secret: true } })
    expect(argumentsOf('to', { mode: 'hide' })).toEqual({ to: { hide: true } })
    expect(argumentsOf('days', { narrowing: '{"maximum": 3}' })).toMatchObject({ days: { maximum: 3 } })
    expect(edited('days', { narrowing: '{"maximum"' }).unread).toEqual(['days'])
    expect(toOverride(toOverrideDraft({}, upstream), before, upstream).override).toEqual({})
  })

  it('tells what is wrong at its field, also of names with dots', () => {
    const names = ['a', 'a.b', 'c d']
    expect(
      ['name', 'tags[0]', 'result.pick.1', 'annotations.openWorldHint', 'nme', ''].map((path) => fieldAt(path, names)),
    ).toEqual(['name', 'tags', 'pick', 'openWorldHint', undefined, undefined])
    const argument = (path: string) => fieldAt(`arguments${path}`, names)?.split('\0')
    expect(argument('.a.set')).toEqual(['a', 'value'])
    expect(argument('.a.b.maxLength')).toEqual(['a.b', 'narrowing'])
    expect(argument('["c d"].description')).toEqual(['c d', 'description'])
    expect(argument('.a')).toEqual(['a', 'mode'])
    expect(argument('.unknown.set')).toBeUndefined()
  })
})

describe('the form of settings', () => {
  const label = { en: 'A number', zh: '数字' }
  const field = { path: 'a.b', label, kind: 'number', value: 5, live: true, waits: false } as const

  it('sends what was changed, and nothing else', () => {
    expect(changesIn([field], {})).toEqual({})
    expect(changesIn([field], { 'a.b': '5' })).toEqual({})
    expect(changesIn([field], { 'a.b': '7' })).toEqual({ 'a.b': 7 })
    expect(changesIn([field], { 'a.b': '' })).toEqual({ 'a.b': null })
    expect(changesIn([{ ...field, kind: 'switch', value: false }], { 'a.b': 'true' })).toEqual({ 'a.b': true })
    expect(changesIn([{ ...field, kind: 'list', value: [] }], { 'a.b': 'x.*\n\n y ' })).toEqual({ 'a.b': ['x.*', 'y'] })
  })
})

describe('a stream of events', () => {
  it('is read block by block, comments left out', () => {
    expect(parseEvent('event: calls\ndata: {"a":1}')).toEqual({ event: 'calls', data: '{"a":1}' })
    expect(parseEvent('data: a\ndata: b')).toEqual({ event: 'message', data: 'a\nb' })
    expect(parseEvent(': still here')).toBeUndefined()
  })
})

describe('a text with values', () => {
  it('has the word for one, and the other for every other number', () => {
    expect(putIn('{n} {n|tool waits|tools wait}', { n: 1 })).toBe('1 tool waits')
    expect(putIn('{n} {n|tool waits|tools wait}', { n: '1,000' })).toBe('1,000 tools wait')
    expect(putIn('{a} {b}', { a: 'x' })).toBe('x {b}')
  })
})

describe('the texts of the console', () => {
  it('are there in both languages, each in its own, and fill in the same values', () => {
    const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    const all = [
      ...Object.entries(words),
      ...Object.entries(tryWords),
      ...Object.entries(toolWords),
      ...Object.entries(connectWords),
      ...ownWords(),
    ]
    expect(all.length).toBeGreaterThan(400)
    for (const [key, [en, zh]] of all) {
      expect(holes(zh), key).toEqual(holes(en))
      expect(en, key).toMatch(/[A-Za-z{]/)
      // Names of things that have no other: JSON, token.
      expect(/\p{Script=Han}/u.test(zh) || en.startsWith(zh) || /^[^a-z]*$/.test(zh), `${key}: ${zh}`).toBe(true)
    }
  })

  it('stand in no page as they are', () => {
    const said = consoleFiles().flatMap(({ file, text }) => [
      ...[...text.matchAll(/[^=]>\s*([A-Z][a-z]+(?: [a-z]+)*[.:]?)\s*<\//g)].map(([, found]) => `${file}: ${found}`),
      ...[...text.matchAll(/(?:title|label|placeholder|alt|aria-label|hint)="([^"]*[A-Za-z]{2}[^"]*)"/g)].map(
        ([, found]) => `${file}: ${found}`,
      ),
    ])
    // Names of parts of files and programs are the same everywhere.
    expect(said.filter((each) => !/: (?:Pegboard|[a-z]+[A-Za-z]*)$/.test(each))).toEqual([])
  })
})

const consoleFiles = (): readonly { readonly file: string; readonly text: string }[] => {
  const folder = fileURLToPath(new URL('../../console/src', import.meta.url))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
}

/** The texts that pages keep to themselves, read from their tables: whole, whichever way they are written. */
const ownWords = (): readonly (readonly [string, readonly [string, string]])[] => {
  const tables = consoleFiles().flatMap(({ file, text }) =>
    (text.match(/^const own = \{[\s\S]*?^\} as const/gm) ?? []).map((table) => ({ file, table })),
  )
  expect(tables.map(({ file }) => file)).toEqual(
    expect.arrayContaining([
      'sign-in.tsx',
      'shell.tsx',
      ...['audit', 'me', 'people'].map((page) => join('pages', `${page}.tsx`)),
    ]),
  )
  return tables.flatMap(({ file, table }) => {
    const quoted = `('(?:[^'\\\\\\n]|\\\\.)*'|"(?:[^"\\\\\\n]|\\\\.)*")`
    const found = [...table.matchAll(new RegExp(`^ {2}'?([\\w-]+)'?: \\[\\s*${quoted},\\s*${quoted},?\\s*\\],$`, 'gm'))]
    expect(found.length, file).toBe(table.match(/^ {2}\S+: \[/gm)?.length)
    return found.map(
      ([, key = '', en = '', zh = '']) => [`${file}: ${key}`, [en.slice(1, -1), zh.slice(1, -1)]] as const,
    )
  })
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyWords } from '../../console/src/i18n/words-source-keys.js'
import { type SourceKinds, toConfig, toDraft } from '../../console/src/pages/source-draft.js'
import { countsOf, fitsWords, inOrder, standingOf } from '../../console/src/pages/source-order.js'
import { sourceFields } from '../../src/config/source-fields.js'
import type { JsonObject } from '../../src/model/json.js'

const kinds = sourceFields() as unknown as SourceKinds
const written = (config: JsonObject): JsonObject => toConfig(toDraft(config, kinds), config, kinds).config

describe('the form of a source (G9)', () => {
  it('gives back what it was given, with what it does not know', () => {
    const config = {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'some server', '--flag=a b'],
      env: { TOKEN: '***', WHO: 'a=b' },
      namespace: 'ns',
      startOnDemand: true,
      tags: ['x'],
      enabled: false,
      overrides: { a: { name: 'b' } },
    }
    expect(written(config)).toEqual(config)
  })

  it('gives back any entry, whatever stands in it', () => {
    const line = fc.string({ minLength: 1, maxLength: 12 })
    const entry = fc.record(
      {
        type: fc.constant('stdio'),
        command: fc.constantFrom('npx', '/a b/c'),
        args: fc.array(fc.oneof(line, fc.constantFrom('', 'a\nb', ' c ')), { minLength: 1, maxLength: 4 }),
        env: fc.dictionary(fc.constantFrom('A', 'B:C', 'D'), fc.oneof(line, fc.constantFrom('', ' x', 'a\nb')), {
          minKeys: 1,
        }),
        limits: fc.constant({ memory: '1gb' }),
        timeoutMs: fc.integer({ min: 1, max: 100_000 }),
        startOnDemand: fc.boolean(),
        onChange: fc.constantFrom('hold', 'note'),
        unheardOf: fc.jsonValue(),
      },
      { requiredKeys: ['type', 'command'] },
    )
    fc.assert(fc.property(entry, (config) => void expect(written(config as JsonObject)).toEqual(config)))
  })

  it('drops the keys of another kind, and keeps those of both', () => {
    const draft = toDraft({ type: 'stdio', command: 'npx', timeoutMs: 5 }, kinds)
    const next = { ...draft, type: 'http', texts: { ...draft.texts, url: 'https://example.com/mcp' } }
    expect(toConfig(next, { type: 'stdio', command: 'npx', timeoutMs: 5 }, kinds).config).toEqual({
      type: 'http',
      url: 'https://example.com/mcp',
      timeoutMs: 5,
    })
  })

  it('says what is not JSON yet, and leaves it out', () => {
    const draft = toDraft({ type: 'stdio', command: 'npx' }, kinds)
    const { config, problems } = toConfig({ ...draft, texts: { ...draft.texts, limits: '{' } }, {}, kinds)
    expect(config).toEqual({ type: 'stdio', command: 'npx' })
    expect(Object.keys(problems)).toEqual(['limits'])
  })

  it('has words for every key that a source may have, in both languages', () => {
    const keys = [...new Set(Object.values(kinds).flatMap((fields) => fields.map(({ key }) => key)))]
    expect(keys.length).toBeGreaterThan(30)
    for (const key of keys) {
      expect(keyWords[key]?.label[0], key).toMatch(/^[A-Z]/)
      expect(keyWords[key]?.zh, key).toMatch(/[\u4e00-\u9fff]/)
    }
    expect(Object.keys(keyWords).filter((key) => !keys.includes(key))).toEqual([])
  })

  it('asks for keys by the schemas that check them', () => {
    const kindOf = (key: string) => kinds.stdio!.find((field) => field.key === key)?.kind
    expect(['command', 'args', 'env', 'startOnDemand', 'timeoutMs', 'onChange', 'limits'].map(kindOf)).toEqual([
      'text',
      'list',
      'pairs',
      'switch',
      'number',
      'choice',
      'json',
    ])
    expect(kinds.stdio!.filter(({ required }) => required).map(({ key }) => key)).toEqual(['command'])
  })
})

describe('the order of sources (G2)', () => {
  const row = (name: string, state: string, more: object = {}) => ({
    name,
    kind: 'stdio',
    state,
    enabled: true,
    configured: true,
    tools: 0,
    held: 0,
    circuits: [],
    ...more,
  })
  const rows = [
    row('b', 'ready', { tools: 9 }),
    row('own', 'ready', { configured: false }),
    row('off', 'stopped', { enabled: false }),
    row('asleep', 'stopped'),
    row('z', 'crash-loop'),
    row('a', 'ready', { tools: 3 }),
    row('held', 'ready', { held: 1 }),
    row('new', 'starting'),
    row('y', 'needs-auth'),
  ]
  const names = (sort: 'state' | 'name' | 'tools') => inOrder(rows, sort).map(({ name }) => name)

  it('begins with what is broken, and ends with what this process brings along', () => {
    expect(names('state')).toEqual(['y', 'z', 'new', 'held', 'a', 'b', 'asleep', 'off', 'own'])
    expect(names('name').slice(0, 3)).toEqual(['a', 'asleep', 'b'])
    expect(names('tools').slice(0, 2)).toEqual(['b', 'a'])
  })

  it('counts each once', () => {
    expect(countsOf(rows)).toEqual({ broken: 2, waiting: 1, ready: 4, asleep: 1, off: 1 })
    expect(standingOf({ state: 'degraded', enabled: true })).toBe('broken')
  })

  it('finds by every word', () => {
    expect(fitsWords(['office', 'stdio', undefined], ' STD off')).toBe(true)
    expect(fitsWords(['office'], 'office http')).toBe(false)
  })
})

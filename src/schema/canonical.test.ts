import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../model/tool.js'
import { canonicalJson, stableHash } from './canonical.js'
import { definitionHash } from './definition-hash.js'
import { deepEqual } from './equal.js'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  )
}

describe('canonicalJson', () => {
  it('sorts keys, drops undefined and writes zero once', () => {
    expect(canonicalJson({ b: [1, -0, undefined], a: undefined, '': null })).toBe('{"":null,"b":[1,0,null]}')
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
    expect(canonicalJson(undefined)).toBe('null')
  })

  it('says the same of equal values and reads back as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
        expect(deepEqual(JSON.parse(canonicalJson(value)), value)).toBe(true)
      }),
    )
  })

  it('differs exactly where values differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(canonicalJson(left) === canonicalJson(right)).toBe(deepEqual(left, right))
      }),
    )
  })

  it('refuses what is too deep, too long or endless', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(() => canonicalJson(loop)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }))
    expect(() => canonicalJson('x'.repeat(100), { maxLength: 50 })).toThrow('too large')
    let shared: unknown = 'leaf'
    for (let i = 0; i < 100; i++) shared = [shared, shared]
    expect(() => canonicalJson(shared, { maxLength: 10_000 })).toThrow('too large')
  })
})

describe('definitionHash', () => {
  const base: ToolDefinition = {
    name: 'a',
    title: 'A',
    description: 'does a',
    inputSchema: { type: 'object', properties: { x: { type: 'string' } } },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    icons: [{ src: 'https://example.test/i.png' }],
  }

  it('changes with each field a model or a person reads (T17)', () => {
    const hashes = Object.keys(base).map((field) =>
      definitionHash({ ...base, [field]: field === 'name' ? 'b' : { changed: true } } as ToolDefinition),
    )
    expect(new Set([...hashes, definitionHash(base)]).size).toBe(Object.keys(base).length + 1)
  })

  it('stays for other orders, absent fields and fields that deceive nobody (T17)', () => {
    expect(definitionHash(shuffled(base) as ToolDefinition)).toBe(definitionHash(base))
    expect(definitionHash({ ...base, _meta: { x: 1 }, vendor: 2 })).toBe(definitionHash(base))
    const bare = { name: 'a', inputSchema: {} }
    expect(definitionHash({ ...bare, title: undefined } as unknown as ToolDefinition)).toBe(definitionHash(bare))
    expect(definitionHash(base)).toMatch(/^[0-9a-f]{64}$/)
    expect(stableHash({ b: 1, a: 2 })).toBe(stableHash({ a: 2, b: 1 }))
  })
})

import { describe, expect, it } from 'vitest'
import { isGatewayError } from '../errors.js'
import type { JsonObject } from '../model/json.js'
import { inlineRefs } from './inline.js'
import { createSchemas } from './schemas.js'
import { parseToolDefinition } from './tool-definition.js'

/** The bad-input corpus for schemas, S129-154: each case is judged or refused by name, and nothing else happens. */
type Expectation =
  | 'SCHEMA_INVALID'
  | 'SCHEMA_UNSUPPORTED'
  | { readonly valid: readonly unknown[]; readonly invalid: readonly unknown[] }

const judges = (valid: readonly unknown[], invalid: readonly unknown[] = []): Expectation => ({ valid, invalid })

const nested = (depth: number): JsonObject => {
  let schema: JsonObject = { type: 'string' }
  for (let i = 0; i < depth; i++) schema = { properties: { a: schema } }
  return schema
}

const fan = (levels: number): JsonObject => {
  const $defs: Record<string, JsonObject> = { [`d${levels}`]: { type: 'string' } }
  for (let i = 0; i < levels; i++)
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
  return { $ref: '#/$defs/d0', $defs }
}

const conditions = (count: number): JsonObject => {
  let schema: JsonObject = { const: 0 }
  for (let i = 1; i <= count; i++) schema = { if: { const: i }, then: true, else: schema }
  return schema
}

const named = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }]))

const cases: readonly (readonly [string, unknown, Expectation])[] = [
  ['S129 null', null, 'SCHEMA_INVALID'],
  ['S129 true', true, judges([1])],
  ['S129 false', false, judges([], [1])],
  ['S129 array', [], 'SCHEMA_INVALID'],
  ['S129 string', 'object', 'SCHEMA_INVALID'],
  ['S130 type unknown', { type: 'text' }, 'SCHEMA_INVALID'],
  ['S130 type null', { type: null }, 'SCHEMA_INVALID'],
  ['S131 self reference', { $ref: '#' }, 'SCHEMA_INVALID'],
  [
    'S131 self reference with progress',
    { properties: { a: { $ref: '#' } }, required: ['v'] },
    judges([{ v: 1 }], [{ v: 1, a: {} }]),
  ],
  ['S132 loop', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, 'SCHEMA_INVALID'],
  ['S132 loop through allOf', { properties: { x: { allOf: [{ $ref: '#/properties/x' }] } } }, 'SCHEMA_INVALID'],
  ['S133 nowhere', { $ref: '#/$defs/x' }, 'SCHEMA_INVALID'],
  ['S133 upward', { $ref: '#/..' }, 'SCHEMA_INVALID'],
  ['S133 network', { properties: { a: { $ref: 'http://canary.test/x.json' } } }, 'SCHEMA_INVALID'],
  ['S133 file', { $ref: 'file:///etc/passwd' }, 'SCHEMA_INVALID'],
  ['S133 relative', { $ref: 'other.json#/x' }, 'SCHEMA_INVALID'],
  ['S133 broken escape', { $ref: '#/%zz' }, 'SCHEMA_INVALID'],
  ['S133 not a string', { $ref: 7 }, 'SCHEMA_INVALID'],
  ['S133 prototype', { $ref: '#/constructor' }, 'SCHEMA_INVALID'],
  ['S134 anchor', { $ref: '#a', $defs: { x: { $anchor: 'a', type: 'string' } } }, judges(['x'], [1])],
  ['S134 dynamic', { $dynamicRef: '#a', $defs: { x: { $dynamicAnchor: 'a', type: 'string' } } }, judges(['x'], [1])],
  ['S134 id twice', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }, 'SCHEMA_INVALID'],
  ['S135 unknown dialect', { $schema: 'https://example.test/mine' }, 'SCHEMA_UNSUPPORTED'],
  ['S135 draft-04', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'SCHEMA_UNSUPPORTED'],
  [
    'S135 draft-07',
    { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
    judges([['a']], [[1]]),
  ],
  [
    'S135 2019-09',
    { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] },
    judges([['a']], [[1]]),
  ],
  ['S135 not a string', { $schema: 3 }, 'SCHEMA_INVALID'],
  ['S136 depth 31', nested(31), judges([{}])],
  ['S136 depth 64', nested(64), judges([{}])],
  ['S136 depth 65', nested(65), 'SCHEMA_INVALID'],
  ['S136 depth 1,000', nested(1_000), 'SCHEMA_INVALID'],
  ['S137 2^22 by references', fan(22), judges(['x'], [1])],
  ['S138 10,000 properties', { properties: named(10_000) }, 'SCHEMA_INVALID'],
  ['S138 1,500 properties', { properties: named(1_500) }, judges([{ p7: 'x' }], [{ p7: 1 }])],
  ['S139 enum of 100,000', { enum: Array.from({ length: 100_000 }, (_, i) => i) }, 'SCHEMA_INVALID'],
  ['S139 enum of objects', { enum: [{ a: 1, b: [2] }, null] }, judges([{ b: [2], a: 1 }, null], [{ a: 1 }])],
  ['S139 enum is no list', { enum: 'a' }, 'SCHEMA_INVALID'],
  ['S140 evil pattern', { pattern: '^(a+)+$' }, judges(['aaa'], [`${'a'.repeat(5_000)}!`])],
  ['S140 invalid pattern', { pattern: '(' }, 'SCHEMA_INVALID'],
  ['S140 property escape', { pattern: '^\\p{L}+$' }, judges(['héé', '日本'], ['a1'])],
  ['S140 pattern of 1 MB', { pattern: 'a'.repeat(1_000_000) }, 'SCHEMA_INVALID'],
  ['S140 pattern of 5 KB', { pattern: 'a'.repeat(5_000) }, 'SCHEMA_INVALID'],
  [
    'S141 evil key pattern',
    { patternProperties: { '^(a|a)*$': { type: 'string' } } },
    judges([{ [`${'a'.repeat(3_000)}!`]: 1 }], [{ aa: 1 }]),
  ],
  ['S142 unknown format', { format: 'made-up' }, judges(['x'])],
  ['S143 required __proto__', { required: ['__proto__'] }, judges([JSON.parse('{"__proto__":1}')], [{}])],
  [
    'S143 code in a name',
    { properties: { '"];code//': { type: 'string' } } },
    judges([{ '"];code//': 'x' }], [{ '"];code//': 1 }]),
  ],
  ['S145 minimum above maximum', { minimum: 5, maximum: 1 }, judges(['x'], [3])],
  ['S145 multipleOf 0', { multipleOf: 0 }, 'SCHEMA_INVALID'],
  ['S145 multipleOf tiny', { multipleOf: 1e-300 }, judges([1, 0.5])],
  ['S145 negative length', { maxLength: -1 }, 'SCHEMA_INVALID'],
  ['S145 exclusiveMinimum of draft-04', { minimum: 1, exclusiveMinimum: true }, 'SCHEMA_INVALID'],
  ['S147 oneOf of 500', { oneOf: Array.from({ length: 500 }, (_, i) => ({ const: i })) }, judges([499], ['x'])],
  ['S147 oneOf empty', { oneOf: [] }, 'SCHEMA_INVALID'],
  ['S148 condition chain of 60', conditions(60), judges([0, 60], [61])],
  ['S148 condition chain of 200', conditions(200), 'SCHEMA_INVALID'],
  [
    'S151 names of other scripts',
    { properties: { 城市: { type: 'string' } }, required: ['城市'] },
    judges([{ 城市: '北京' }], [{}]),
  ],
  ['S152 const of 1 MB', { const: 'x'.repeat(1_000_000) }, 'SCHEMA_INVALID'],
  ['S152 const of 100 KB', { const: 'x'.repeat(100_000) }, judges(['x'.repeat(100_000)], ['x'])],
  ['S153 contradiction', { not: {} }, judges([], [1, {}])],
  ['- properties is a list', { properties: [] }, 'SCHEMA_INVALID'],
  ['- property is a string', { properties: { a: 'string' } }, 'SCHEMA_INVALID'],
  ['- required is a flag', { properties: { a: { required: true } } }, 'SCHEMA_INVALID'],
]

describe('bad schemas (corpus S129-154, T28)', () => {
  it.each(cases)('%s', (_name, schema, expected) => {
    const before = JSON.stringify(schema)
    const schemas = createSchemas({ maxSteps: 1_000_000 })
    const compile = () => schemas.validator(schema as JsonObject)
    if (typeof expected === 'string') expect(compile).toThrow(expect.objectContaining({ code: expected }))
    else {
      for (const value of expected.valid) expect(compile().check(value)).toEqual({ ok: true, value })
      for (const value of expected.invalid) expect(compile().check(value).ok).toBe(false)
    }
    expect(JSON.stringify(schema)).toBe(before)
  })

  it.each(cases)('%s: inlining ends as well (S154)', (_name, schema) => {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
    try {
      expect(JSON.stringify(inlineRefs(schema as JsonObject).schema)).toBeTypeOf('string')
    } catch (thrown) {
      expect(isGatewayError(thrown) && thrown.code).toBe('SCHEMA_INVALID')
    }
  })

  it('names the place and not the canary (S133)', () => {
    const compile = () => createSchemas().validator({ properties: { a: { $ref: 'http://canary.test/x.json' } } })
    expect(compile).toThrow("at '/properties/a/$ref'")
  })

  it('keeps the ids of two tools apart (S134)', () => {
    const schemas = createSchemas()
    const withId = (type: string) =>
      schemas.validator({
        $ref: 'shared',
        $defs: { x: { $id: 'https://same.test/shared', type } },
        $id: 'https://same.test/',
      })
    const [text, number] = [withId('string'), withId('number')]
    expect([text.check('x').ok, text.check(1).ok, number.check('x').ok, number.check(1).ok]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('serves 99 good tools beside a bomb (T28)', () => {
    const schemas = createSchemas()
    const tools = [
      ...Array.from({ length: 99 }, (_, i) => ({ properties: { [`p${i}`]: { type: 'string' } } })),
      nested(500),
    ]
    const compiled = tools.map((schema) => {
      try {
        return schemas.validator(schema as JsonObject) !== undefined
      } catch {
        return false
      }
    })
    expect(compiled.filter(Boolean)).toHaveLength(99)
  })

  it('refuses objects that contain themselves', () => {
    const loop: Record<string, unknown> = { type: 'object' }
    loop.properties = { a: loop, b: loop }
    expect(() => createSchemas().validator(loop as JsonObject)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID' }),
    )
    expect(() => inlineRefs(loop as JsonObject)).not.toThrow()
  })

  it('refuses tools whose schema is none, by name (S129, S130)', () => {
    for (const inputSchema of [true, [], 'x', 7, { type: 'string' }]) {
      expect(() => parseToolDefinition({ name: 'bad', inputSchema })).toThrow(/'bad' at '\/inputSchema/)
    }
    expect(parseToolDefinition({ name: 'none', inputSchema: null }).inputSchema).toEqual({ type: 'object' })
  })
})

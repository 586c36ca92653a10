import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toProviderTools } from '../../src/catalog/provider-tools.js'
import type { JsonObject, JsonValue } from '../../src/model/json.js'
import type { Tool } from '../../src/model/tool.js'
import { rules } from '../helpers/provider-rules.mjs'

const formats = ['openai', 'openai-responses', 'openai-strict', 'anthropic', 'gemini'] as const
type Format = (typeof formats)[number]

const toolOf = (inputSchema: JsonObject): Tool => ({
  id: 's.t',
  namespace: 's',
  name: 't',
  source: 's',
  definition: { name: 't', inputSchema },
  tags: [],
})

const convert = (schema: JsonObject, format: Format) => {
  const { tools, losses } = toProviderTools([toolOf(schema)], format)
  return { illegal: rules[format](tools[0] as never), losses: losses.flatMap((each) => each.losses), tool: tools[0] }
}

/** Keywords with values of the right kind most of the time, since wrong ones alone would never get past the root. */
const { schema } = fc.letrec<{ schema: JsonObject; sub: JsonValue }>((tie) => {
  const subs = fc.array(tie('sub'), { maxLength: 3 })
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'with space', '中文', '$filter', '__proto__'), tie('sub'))
  const names = fc.array(fc.constantFrom('a', 'b', 'z', 'a'), { maxLength: 3 })
  const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'any', 'float')
  const values = fc.array(fc.constantFrom('x', '', 1, null, true, 'x'), { maxLength: 3 })
  const junk = fc.constantFrom<JsonValue>(true, false, null, 0, -1, 'text', '(', [], {}, [1], { a: 1 })
  const either = <T>(right: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: junk })
  const members = {
    type: either(fc.oneof(types, fc.array(types, { maxLength: 3 }))),
    properties: either(named),
    patternProperties: either(fc.dictionary(fc.constantFrom('^x', '(', 'y'), tie('sub'), { maxKeys: 2 })),
    required: either(names),
    items: either(fc.oneof(tie('sub'), subs)),
    prefixItems: either(subs),
    additionalItems: either(tie('sub')),
    additionalProperties: either(tie('sub')),
    unevaluatedProperties: either(tie('sub')),
    enum: either(values),
    const: either(fc.constantFrom('x', 1, null)),
    not: either(tie('sub')),
    if: either(tie('sub')),
    anyOf: either(subs),
    oneOf: either(subs),
    allOf: either(subs),
    $ref: either(fc.constantFrom('#', '#/$defs/D', '#/$defs/missing', '#/definitions/D', 'https://x/y', '#name')),
    $defs: either(fc.record({ D: tie('sub') })),
    definitions: either(fc.record({ D: tie('sub') })),
    $id: either(fc.constantFrom('x', 'https://x/y')),
    $anchor: either(fc.constant('name')),
    pattern: either(fc.constantFrom('^a+$', '(?=x)', '(', '\\p{L}')),
    format: either(fc.constantFrom('date-time', 'uri', 'int32')),
    default: either(fc.constant('x')),
    description: either(fc.constant('Words')),
    nullable: either(fc.boolean()),
    minimum: either(fc.integer()),
    exclusiveMinimum: either(fc.oneof(fc.integer(), fc.boolean())),
    minItems: either(fc.integer()),
    maxItems: either(fc.integer()),
    multipleOf: either(fc.double()),
    dependencies: either(fc.record({ a: fc.oneof(names, tie('sub')) })),
    dependentRequired: either(fc.record({ a: names })),
    propertyOrdering: either(names),
  }
  const keyword = fc.constantFrom(...(Object.keys(members) as (keyof typeof members)[]))
  return {
    schema: fc
      .uniqueArray(keyword, { maxLength: 5 })
      .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, members[key]])) as never)),
    sub: fc.oneof({ maxDepth: 4, depthSize: 'small' }, fc.boolean(), junk, tie('schema')),
  } as never
})

describe('any schema (B3)', () => {
  it.each(formats)(
    'is legal for %s',
    (format) => {
      fc.assert(
        fc.property(schema, (given) => {
          const before = JSON.stringify(given)
          expect(convert({ ...given, type: 'object' }, format).illegal).toEqual([])
          expect(convert(given, format).illegal).toEqual([])
          expect(JSON.stringify(given)).toBe(before)
        }),
        { numRuns: 600 },
      )
    },
    60_000,
  )

  const seen: readonly (readonly [string, JsonObject])[] = [
    ['enum at the root', { type: 'object', properties: { a: {} }, enum: [{ a: 1 }] }],
    ['not at the root', { type: 'object', properties: { a: {} }, not: { required: ['a'] } }],
    ['a root that refers to nothing', { $ref: '#/$defs/missing' }],
    ['a required flag inside a property', { type: 'object', properties: { a: { type: 'string', required: true } } }],
    ['a type that does not exist', { type: 'object', properties: { a: { type: 'float' } } }],
    ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ]
  it.each(seen)('has its loss told: %s', (_what, given) => {
    for (const format of formats) {
      const { illegal, losses } = convert(given, format)
      expect(illegal, format).toEqual([])
      expect(losses.length, format).toBeGreaterThan(0)
    }
  })

  it.each(formats)('has items wherever it has lists, for %s', (format) => {
    const lists: JsonObject = {
      type: 'object',
      properties: {
        bare: { type: 'array' },
        any: { type: 'array', items: true },
        none: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
        old: { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
        maybe: { type: ['array', 'null'] },
      },
    }
    expect(convert(lists, format).illegal).toEqual([])
  })

  it('keeps what older drafts meant', () => {
    const old: JsonObject = {
      type: 'object',
      properties: {
        pair: { type: 'array', items: [{ type: 'number' }], additionalItems: false },
        over: { type: 'number', minimum: 3, exclusiveMinimum: true },
      },
    }
    const { tool, losses } = convert(old, 'openai')
    expect(tool).toMatchObject({
      function: {
        parameters: {
          properties: {
            pair: { prefixItems: [{ type: 'number' }], items: {}, maxItems: 1 },
            over: { exclusiveMinimum: 3 },
          },
        },
      },
    })
    expect(losses).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import { exampleOf } from './example.js'
import { createSchemas } from './schemas.js'

const schemas = createSchemas({ formats: 'assert' })
const problems = (schema: JsonObject) => {
  const checked = schemas.validator(schema).check(exampleOf(schema))
  return checked.ok ? [] : checked.problems
}

/** Schemas as tools have them, nested, with alternatives and bounds. */
const { schema } = fc.letrec<{ schema: JsonObject; leaf: JsonObject }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ type: fc.constant('string'), minLength: fc.nat(9) }, { requiredKeys: ['type'] }),
    fc.record({
      type: fc.constant('string'),
      format: fc.constantFrom('date', 'date-time', 'time', 'uri', 'email', 'uuid', 'ipv4', 'ipv6', 'hostname'),
    }),
    fc
      .record({ least: fc.integer({ min: -50, max: 50 }), span: fc.integer({ min: 0, max: 9 }) })
      .map(({ least, span }) => ({ type: 'integer', minimum: least, maximum: least + span })),
    fc.integer({ min: -9, max: 9 }).map((above) => ({ type: 'number', exclusiveMinimum: above })),
    fc.integer({ min: -9, max: 9 }).map((below) => ({ type: 'integer', exclusiveMaximum: below })),
    fc.integer({ min: 1, max: 7 }).map((step) => ({ type: 'integer', multipleOf: step, minimum: 3 })),
    fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: 'null' }, { type: ['integer', 'null'] }, {}),
    fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }).map((all) => ({ enum: all }) as JsonObject),
    fc.jsonValue().map((value) => ({ const: value }) as JsonObject),
    fc.constant({ $ref: '#/$defs/tree' }),
  ) as fc.Arbitrary<JsonObject>,
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc
      .record({
        properties: fc.dictionary(fc.string({ maxLength: 4 }), tie('schema'), { maxKeys: 4 }),
        all: fc.boolean(),
      })
      .map(({ properties, all }) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).filter((_, at) => all || at % 2 === 0),
        additionalProperties: false,
      })),
    fc
      .record({ items: tie('schema'), minItems: fc.nat(3) })
      .map(({ items, minItems }) => ({ type: 'array', items, minItems })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ) as fc.Arbitrary<JsonObject>,
}))

const tree = {
  type: 'object',
  properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['name', 'below'],
}

describe('the example of a schema', () => {
  it('fits it (G4)', () => {
    fc.assert(
      fc.property(schema, (inner) => {
        const whole = { type: 'object', properties: { it: inner }, required: ['it'], $defs: { tree } } as JsonObject
        expect(problems(whole)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('is made of what the schema itself gives', () => {
    const given = {
      type: 'object',
      properties: {
        city: { type: 'string', examples: ['Bern'] },
        days: { type: 'integer', default: 3 },
        unit: { enum: ['c', 'f'], default: 'f' },
        note: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
      },
      required: ['days', 'unit', 'tags'],
    }
    expect(exampleOf(given)).toEqual({ city: 'Bern', days: 3, unit: 'f', tags: ['…', '…2'] })
  })

  it('ends for a schema that has no end, and takes any name for a name', () => {
    expect(exampleOf({ $ref: '#' })).toBe('…')
    const endless = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }
    expect(JSON.stringify(exampleOf(endless)).length).toBeLessThan(1000)
    const odd = JSON.parse('{"type":"object","required":["__proto__"],"properties":{"__proto__":{"const":1}}}')
    expect(Object.keys(exampleOf(odd) as object)).toEqual(['__proto__'])
  })

  it('survives whatever stands where a schema should', () => {
    fc.assert(
      fc.property(
        fc.json(),
        (text) =>
          void exampleOf({
            type: 'object',
            properties: { a: JSON.parse(text) },
            required: ['a'],
            allOf: JSON.parse(text),
          }),
      ),
    )
  })
})

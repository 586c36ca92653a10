import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { createSchemas } from '../schemas.js'
import { toAnthropic } from './anthropic.js'
import { toGemini } from './gemini.js'
import { toOpenAi } from './open-ai.js'
import { dropAddedNulls } from './strict-arguments.js'

const tool = (inputSchema: JsonObject): ToolDefinition => ({ name: 'weather', description: 'Weather', inputSchema })

const city: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    city: { type: 'string', description: 'City', minLength: 2 },
    days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
    unit: { enum: ['c', 'f'] },
    place: { $ref: '#/$defs/Place' },
  },
  required: ['city'],
  $defs: { Place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] } },
}

const tree: JsonObject = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node' } },
  required: ['root'],
  $defs: {
    Node: {
      type: 'object',
      properties: { value: { type: 'string' }, next: { $ref: '#/$defs/Node' } },
      required: ['value'],
    },
  },
}

const map: JsonObject = {
  type: 'object',
  properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
}

const parametersOf = (value: JsonObject): JsonObject => (value.function as JsonObject).parameters as JsonObject
const reasons = (losses: readonly { path: string; keyword: string }[]) =>
  losses.map((loss) => `${loss.path} ${loss.keyword}`)

describe('OpenAI tools', () => {
  it('are written in both shapes', () => {
    expect(toOpenAi(tool({ type: 'object' })).value).toEqual({
      type: 'function',
      function: { name: 'weather', description: 'Weather', parameters: { type: 'object', properties: {} } },
    })
    expect(toOpenAi(tool({ type: 'object' }), { shape: 'responses', name: 'w' }).value).toMatchObject({
      type: 'function',
      name: 'w',
    })
  })

  it('keep the schema without strict mode, references inlined', () => {
    const { value, losses, strict } = toOpenAi(tool(city))
    expect(parametersOf(value).properties).toMatchObject({
      days: { minimum: 1, default: 3 },
      place: { type: 'object', properties: { lat: { type: 'number' } } },
    })
    expect(parametersOf(value).$defs).toBeUndefined()
    expect({ losses, strict }).toEqual({ losses: [], strict: false })
  })

  it('close every object, require every key and make optional ones nullable in strict mode', () => {
    const { value, losses, strict } = toOpenAi(tool(city), { strict: true })
    expect(strict).toBe(true)
    expect(parametersOf(value)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'City {minLength: 2}' },
        days: { type: ['integer', 'null'], minimum: 1, maximum: 14, description: '{default: 3}' },
        unit: { type: ['string', 'null'], enum: ['c', 'f', null] },
        place: {
          type: ['object', 'null'],
          properties: { lat: { type: 'number' } },
          required: ['lat'],
          additionalProperties: false,
        },
      },
      required: ['city', 'days', 'unit', 'place'],
      additionalProperties: false,
    })
    expect(reasons(losses)).toEqual(['/properties/city/minLength minLength', '/properties/days/default default'])
  })

  it('keep recursion as references', () => {
    const parameters = parametersOf(toOpenAi(tool(tree), { strict: true }).value)
    expect(parameters.$defs).toMatchObject({
      Node: {
        additionalProperties: false,
        properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } },
      },
    })
  })

  it('say that free-form maps and untyped values cannot be strict', () => {
    const { strict, losses, value } = toOpenAi(tool(map), { strict: true })
    expect(strict).toBe(false)
    expect(losses).toMatchObject([{ path: '/properties/labels', keyword: 'strict' }])
    expect(parametersOf(value).properties).toEqual(map.properties)
    expect(toOpenAi(tool({ type: 'object', properties: { x: {} } }), { strict: true }).strict).toBe(false)
  })

  it('join the alternatives of the root', () => {
    const { value, losses } = toOpenAi(
      tool({
        type: 'object',
        oneOf: [
          { properties: { id: { type: 'string' } }, required: ['id'] },
          { properties: { name: { type: 'string' } }, required: ['name'] },
        ],
      }),
    )
    expect(parametersOf(value)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, id: { type: 'string' } },
      description: '{required: id, or name}',
    })
    expect(losses).toMatchObject([{ keyword: 'oneOf' }])
  })

  it('merge allOf and turn oneOf into anyOf in strict mode', () => {
    const { value } = toOpenAi(
      tool({
        type: 'object',
        properties: {
          x: {
            allOf: [
              { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
              {
                type: 'object',
                properties: { b: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
                required: ['b'],
              },
            ],
          },
        },
        required: ['x'],
      }),
      { strict: true },
    )
    expect((parametersOf(value).properties as JsonObject).x).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })
})

describe('Anthropic tools', () => {
  it('prune recursion and say so', () => {
    const { value, losses } = toAnthropic(tool(tree))
    expect(JSON.stringify(value)).not.toContain('$ref')
    expect(losses).toMatchObject([{ keyword: '$ref' }])
  })

  it('are closed in strict mode, with constraints in words', () => {
    const { value, strict } = toAnthropic(tool(city), { strict: true })
    expect(strict).toBe(true)
    expect(value).toMatchObject({
      name: 'weather',
      strict: true,
      input_schema: {
        additionalProperties: false,
        required: ['city'],
        properties: {
          city: { type: 'string', description: 'City {minLength: 2}' },
          days: { type: 'integer', default: 3, description: '{minimum: 1, maximum: 14}' },
        },
      },
    })
  })

  it('are not strict with maps or too many optional parameters', () => {
    expect(toAnthropic(tool(map), { strict: true })).toMatchObject({ strict: false, losses: [{ keyword: 'strict' }] })
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`p${i}`, { type: 'string' }]))
    expect(toAnthropic(tool({ type: 'object', properties: many }), { strict: true }).strict).toBe(false)
  })

  it('leave out parameters whose names the provider refuses, and say so', () => {
    const { value, losses } = toAnthropic(
      tool({ type: 'object', properties: { 'a b': { type: 'string' }, c: {} }, required: ['a b', 'c'] }),
    )
    expect(value.input_schema).toEqual({
      type: 'object',
      properties: { c: {} },
      required: ['c'],
      description: '{cannot be given here: a b}',
    })
    expect(losses).toMatchObject([{ path: '/properties/a b' }])
  })
})

describe('Gemini declarations', () => {
  it('use the OpenAPI subset', () => {
    const { value, losses } = toGemini(
      tool({
        type: 'object',
        additionalProperties: false,
        properties: {
          mode: { const: 'fast' },
          level: { enum: [1, 2], type: 'integer' },
          note: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }], default: null, title: 'Note' },
          id: { type: ['string', 'integer', 'null'] },
          when: { type: 'string', exclusiveMinimum: 3 },
          either: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
        },
        required: ['mode'],
      }),
    )
    expect(value.parameters).toEqual({
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['fast'] },
        level: { type: 'integer', description: '{enum: [1,2]}' },
        note: { type: 'string', maxLength: 5, default: null, title: 'Note', nullable: true },
        id: {
          anyOf: [
            { type: 'string', nullable: true },
            { type: 'integer', nullable: true },
          ],
        },
        when: { type: 'string', description: '{exclusiveMinimum: 3}' },
        either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      },
      required: ['mode'],
    })
    expect(reasons(losses)).toEqual([
      '/additionalProperties additionalProperties',
      '/properties/level/enum enum',
      '/properties/when/exclusiveMinimum exclusiveMinimum',
    ])
  })

  it('have no parameters when there are none', () => {
    expect(toGemini(tool({ type: 'object' })).value).toEqual({ name: 'weather', description: 'Weather' })
  })
})

describe('dropAddedNulls', () => {
  it('takes out the nulls of optional arguments, at any depth, and keeps allowed ones', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: ['string', 'null'] },
        c: { $ref: '#/$defs/C' },
        list: { type: 'array', items: { $ref: '#/$defs/C' } },
      },
      required: ['a'],
      $defs: { C: { type: 'object', properties: { d: { type: 'integer' } } } },
    }
    const args = { a: null, b: null, c: { d: null }, list: [{ d: null }, { d: 1 }], other: null }
    expect(dropAddedNulls(args, schema)).toEqual({ a: null, b: null, c: {}, list: [{}, { d: 1 }], other: null })
    const clean = { a: 'x', c: { d: 1 } }
    expect(dropAddedNulls(clean, schema)).toBe(clean)
    expect(dropAddedNulls('text', schema)).toBe('text')
  })

  it('undoes what strict mode asked for', () => {
    const schemas = createSchemas()
    const leaf = fc.constantFrom<JsonObject>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'boolean' },
      { enum: ['a', 1] },
    )
    const shape = fc.record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf),
      required: fc.subarray(['a', 'b', 'c']),
    })
    fc.assert(
      fc.property(
        shape,
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.string(), fc.integer(), fc.constant('a'))),
        (parts, args) => {
          const required = parts.required.filter((name) => name in parts.properties)
          const schema: JsonObject = { type: 'object', ...parts, required, additionalProperties: false }
          if (!schemas.validator(schema).check(args).ok) return
          const strict = toOpenAi(tool(schema), { strict: true })
          expect(strict.strict).toBe(true)
          const written = { ...Object.fromEntries(Object.keys(parts.properties).map((name) => [name, null])), ...args }
          expect(schemas.validator(parametersOf(strict.value)).check(written).ok).toBe(true)
          expect(dropAddedNulls(written, schema)).toEqual(args)
        },
      ),
    )
  })
})

describe('projections', () => {
  it('never change the definition and always give a schema that compiles', () => {
    const schemas = createSchemas()
    const leaf = fc.constantFrom<JsonObject>(
      { type: 'string', minLength: 1 },
      { const: 1 },
      { enum: ['a', null] },
      { type: ['string', 'null'] },
      { $ref: '#/$defs/D' },
      {},
    )
    const node = fc.oneof(
      leaf,
      fc.record({ anyOf: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('array'), items: leaf }),
      fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.constantFrom('p', '__proto__'), leaf) }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), node), (properties) => {
        const definition = tool({
          type: 'object',
          properties,
          $defs: { D: { type: 'object', properties: { again: { $ref: '#/$defs/D' } } } },
        } as JsonObject)
        const before = JSON.stringify(definition)
        const written = [
          parametersOf(toOpenAi(definition).value),
          parametersOf(toOpenAi(definition, { strict: true }).value),
          toAnthropic(definition).value.input_schema as JsonObject,
          toAnthropic(definition, { strict: true }).value.input_schema as JsonObject,
          (toGemini(definition).value.parameters ?? {}) as JsonObject,
        ]
        for (const schema of written) schemas.validator(schema)
        expect(JSON.stringify(definition)).toBe(before)
      }),
    )
  })
})

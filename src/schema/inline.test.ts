import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import { inlineRefs } from './inline.js'
import { pruneAs004 } from './inline-compat.js'
import { createSchemas } from './schemas.js'

const node = { type: 'object', properties: { value: { type: 'string' }, child: { $ref: '#/$defs/Node' } } }
const chain = {
  properties: { a: { $ref: '#/$defs/A' } },
  $defs: {
    A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
    B: { type: 'object', properties: { c: { $ref: '#/$defs/C' } } },
    C: { type: 'object', properties: { d: { $ref: '#/$defs/D' } } },
    D: { type: 'object', description: 'the last', properties: { e: { type: 'string' } } },
  },
} satisfies JsonObject

describe("document 004's converter", () => {
  const convert = (schema: JsonObject | null, extra = {}) => inlineRefs(schema, { compat: true, ...extra })

  it('keeps a plain schema (004 compat 1)', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    expect(convert(schema)).toEqual({ schema, losses: [] })
  })

  it('inlines definitions and removes them (004 compat 2, 004-09)', () => {
    const schema = {
      type: 'object',
      properties: { owner: { $ref: '#/$defs/Person' } },
      $defs: { Person: { type: 'object', properties: { name: { type: 'string' } } } },
    }
    expect(convert(schema).schema).toEqual({
      type: 'object',
      properties: { owner: { type: 'object', properties: { name: { type: 'string' } } } },
    })
  })

  it('prunes a cycle and defaults the root type (004 compat 3, 004-13)', () => {
    const { schema, losses } = convert({ $defs: { Node: node }, properties: { root: { $ref: '#/$defs/Node' } } })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        root: { type: 'object', properties: { value: { type: 'string' }, child: { type: 'object' } } },
      },
    })
    expect(losses).toMatchObject([{ path: '/properties/root/properties/child', keyword: '$ref' }])
  })

  it('describes a body that has no description, and nothing else (004 compat 4)', () => {
    const $defs = { Body: { type: 'object' }, Told: { type: 'object', description: 'mine' } }
    const withBody = (name: string) =>
      convert({ properties: { body: { $ref: `#/$defs/${name}` }, path: { type: 'object' } }, $defs }).schema
    expect(withBody('Body').properties).toEqual({
      body: { type: 'object', description: 'Request Body参数' },
      path: { type: 'object' },
    })
    expect(withBody('Told').properties).toMatchObject({ body: { description: 'mine' } })
    expect(convert({ properties: { path: { type: 'object' } } }).schema.properties).toEqual({
      path: { type: 'object' },
    })
  })

  it('prunes the reference met at depth 3 (004 compat 5, 004-10, 004-12)', () => {
    expect(convert(chain).schema.properties).toEqual({
      a: {
        type: 'object',
        properties: {
          b: {
            type: 'object',
            properties: { c: { type: 'object', properties: { d: { type: 'object', description: 'the last' } } } },
          },
        },
      },
    })
  })

  it('expands siblings twice, keeps what it cannot resolve, and knows no #/definitions (004 compat 6)', () => {
    const schema = {
      properties: {
        a: { $ref: '#/$defs/X', description: 'dropped' },
        b: { $ref: '#/$defs/X' },
        c: { $ref: '#/$defs/Missing' },
        d: { $ref: '#/definitions/X' },
        list: { type: 'array', items: { $ref: '#/$defs/X' } },
        loose: { items: { $ref: '#/$defs/X' } },
      },
      $defs: { X: { type: 'integer' } },
      definitions: { X: { type: 'string' } },
    }
    const { schema: converted, losses } = convert(schema)
    expect(converted.properties).toEqual({
      a: { type: 'integer' },
      b: { type: 'integer' },
      c: { $ref: '#/$defs/Missing' },
      d: { $ref: '#/definitions/X' },
      list: { type: 'array', items: { type: 'integer' } },
      loose: { items: { $ref: '#/$defs/X' } },
    })
    expect(losses.map((loss) => loss.path)).toEqual(['/properties/c', '/properties/d'])
  })

  it('prunes to type, description and items (004 compat 7)', () => {
    expect(pruneAs004({ type: 'object', description: 'd', properties: {} })).toEqual({
      type: 'object',
      description: 'd',
    })
    expect(pruneAs004({ type: 'array', items: { type: 'object', properties: {} } })).toEqual({
      type: 'array',
      items: { type: 'object' },
    })
    expect(pruneAs004({})).toEqual({ type: 'object' })
  })

  it('fails on a root that refers to nothing, and reads null as a string', () => {
    expect(() => convert({ $ref: '#/$defs/Gone' })).toThrow('MCP schema definition not found: Gone')
    expect(convert(null).schema).toEqual({ type: 'string' })
  })

  it('reads the schemas of an OpenAPI document (004-11)', () => {
    const document = { components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } } }
    const schema = { type: 'object', properties: { pet: { $ref: '#/components/schemas/Pet' } } }
    expect(convert(schema, { document }).schema.properties).toEqual({ pet: document.components.schemas.Pet })
  })
})

describe('inlineRefs', () => {
  it('resolves references in every keyword that holds schemas', () => {
    const X = { $ref: '#/$defs/X' }
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { anyOf: [X, { type: 'null' }] }, b: { type: 'array', prefixItems: [X], items: X } },
      patternProperties: { '^x': X },
      additionalProperties: X,
      allOf: [X],
      oneOf: [X],
      not: X,
      if: X,
      then: X,
      else: X,
      dependentSchemas: { a: X },
      $defs: { X: { type: 'string' } },
    }
    const { schema: inlined, losses } = inlineRefs(schema)
    expect(JSON.stringify(inlined)).not.toMatch(/\$ref|\$defs/)
    expect(losses).toEqual([])
    expect(inlined.properties).toEqual({
      a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      b: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } },
    })
  })

  it.each([
    ['#/$defs/a~1b', { $defs: { 'a/b': { type: 'string' } } }],
    ['#/$defs/a%25b', { $defs: { 'a%b': { type: 'string' } } }],
    ['#/definitions/X', { definitions: { X: { type: 'string' } } }],
    ['#/$defs/Outer/$defs/Inner', { $defs: { Outer: { $defs: { Inner: { type: 'string' } } } } }],
    ['#/anywhere/0', { anywhere: [{ type: 'string' }] }],
    ['#named', { $defs: { X: { $anchor: 'named', type: 'string' } } }],
    ['item.json', { $defs: { X: { $id: 'item.json', type: 'string' } } }],
  ])('follows %s', (reference, definitions) => {
    const { schema, losses } = inlineRefs({ properties: { x: { $ref: reference } }, ...definitions } as JsonObject)
    expect(schema.properties).toEqual({ x: { type: 'string' } })
    expect(losses).toEqual([])
  })

  it('merges keys beside a reference, the sibling winning', () => {
    const schema = {
      properties: {
        x: { $ref: '#/$defs/X', description: 'mine', required: ['b'], properties: { b: { type: 'null' } } },
      },
      $defs: { X: { type: 'object', description: 'theirs', required: ['a'], properties: { a: { type: 'string' } } } },
    }
    expect(inlineRefs(schema).schema.properties).toEqual({
      x: {
        type: 'object',
        description: 'mine',
        required: ['a', 'b'],
        properties: { a: { type: 'string' }, b: { type: 'null' } },
      },
    })
  })

  it('prunes cycles only when the depth is unbounded', () => {
    expect(JSON.stringify(inlineRefs(chain, { maxDepth: Infinity }).schema)).toContain('"e"')
    const looped = inlineRefs({ ...node, $defs: { Node: node } }, { maxDepth: Infinity })
    expect(looped.schema.properties).toEqual({
      value: { type: 'string' },
      child: { type: 'object', properties: { value: { type: 'string' }, child: { type: 'object' } } },
    })
    expect(looped.losses).toHaveLength(1)
    expect(inlineRefs({ type: 'object', properties: { again: { $ref: '#' } } }).schema.properties).toEqual({
      again: { type: 'object' },
    })
  })

  it('opens a property that refers to nothing and says so', () => {
    const { schema, losses } = inlineRefs({ properties: { x: { $ref: '#/$defs/Gone', title: 'X' } } })
    expect(schema.properties).toEqual({ x: { title: 'X' } })
    expect(losses).toMatchObject([{ path: '/properties/x', keyword: '$ref' }])
    expect(() => inlineRefs({ $ref: '#/$defs/Gone' })).toThrow('MCP schema definition not found: Gone')
  })

  it('stops at its node budget when references fan out (S137)', () => {
    const $defs: Record<string, JsonObject> = { d22: { type: 'string' } }
    for (let i = 0; i < 22; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
    const { schema, losses } = inlineRefs({ $ref: '#/$defs/d0', $defs }, { maxDepth: Infinity, maxNodes: 1_000 })
    expect(JSON.stringify(schema).length).toBeLessThan(100_000)
    expect(losses.filter((loss) => loss.reason.includes('size limit'))).toHaveLength(1)
  })

  it('treats __proto__ as data and leaves its input alone (T30)', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{"type":"string"}}}',
    )
    const before = JSON.stringify(schema)
    const inlined = inlineRefs(schema).schema
    expect(JSON.stringify(inlined)).toBe('{"properties":{"__proto__":{"type":"string"}}}')
    expect(JSON.stringify(schema)).toBe(before)
  })

  it('gives a schema without references that allows what the original allows', () => {
    const schemas = createSchemas()
    const name = fc.constantFrom('A', 'B', 'C')
    const leaf = fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'integer' }, { minimum: 2 }, {})
    const definition = fc.oneof(
      leaf,
      fc.record({ properties: fc.dictionary(fc.constantFrom('p', 'q'), leaf), type: fc.constant('object') }),
      fc.record({ anyOf: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
    )
    const root = fc.record({
      properties: fc.dictionary(
        fc.constantFrom('p', 'q', 'r'),
        fc.oneof(
          leaf,
          name.map((to) => ({ $ref: `#/$defs/${to}` })),
        ),
      ),
      $defs: fc.record({ A: definition, B: definition, C: definition }),
    })
    const value = fc.dictionary(
      fc.constantFrom('p', 'q', 'r'),
      fc.oneof(fc.integer(), fc.string(), fc.dictionary(fc.constantFrom('p'), fc.integer())),
    )
    fc.assert(
      fc.property(root, value, (schema, sample) => {
        const inlined = inlineRefs(schema as JsonObject).schema
        const [before, after] = [schemas.validator(schema as JsonObject), schemas.validator(inlined)]
        return before.check(sample).ok === after.check(sample).ok
      }),
    )
  })
})

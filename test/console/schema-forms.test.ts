import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extrasOf, fromText, moved, renamed, toText, withItem, withKey } from '../../console/src/forms/form-edit.js'
import {
  blankOf,
  branchesOf,
  branchFor,
  carries,
  choicesOf,
  entryOf,
  type FormNode,
  isObject,
  itemOf,
  membersOf,
  nodeOf,
} from '../../console/src/forms/form-node.js'
import type { JsonObject, JsonValue } from '../../src/model/json.js'
import { createSchemas } from '../../src/schema/schemas.js'

const kinds = (schema: JsonObject) =>
  membersOf(nodeOf(schema, schema), schema).map(({ name, node }) => [name, node.kind])

describe('the form of a schema (G4)', () => {
  it('has a field for each kind of argument, and JSON for the rest', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: ['integer', 'null'] },
        c: { type: 'boolean' },
        d: { enum: ['x', 1] },
        e: { type: 'array', items: { type: 'string' } },
        f: { type: 'object', properties: { g: { type: 'string' } } },
        h: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        i: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        j: { $ref: '#/$defs/name' },
        k: { type: 'object', additionalProperties: { type: 'number' } },
        l: { const: 'only' },
        m: {
          oneOf: [
            { const: 'r', title: 'Red' },
            { const: 'g', title: 'Green' },
          ],
        },
        n: { allOf: [{ type: 'object', properties: { a: {} } }, { required: ['a'] }] },
        o: {},
        p: { type: 'object' },
      },
      $defs: { name: { type: 'number' } },
    }
    expect(Object.fromEntries(kinds(schema))).toEqual({
      ...{ a: 'text', b: 'number', c: 'boolean', d: 'enum', e: 'list', f: 'object', h: 'choice', i: 'text' },
      ...{ j: 'number', k: 'map', l: 'const', m: 'enum', n: 'object', o: 'json', p: 'json' },
    })
    const nullable = membersOf(nodeOf(schema, schema), schema).filter(({ node }) => node.nullable)
    expect(nullable.map(({ name }) => name)).toEqual(['b', 'i'])
  })

  it('finds the alternative that a value is of, and names each', () => {
    const schema = {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } }, required: ['kind'] },
        { $ref: '#/$defs/Square' },
        { type: 'string' },
      ],
      $defs: {
        Square: { type: 'object', properties: { side: { type: 'number' } }, required: ['side'] },
      },
    }
    const branches = branchesOf(nodeOf(schema, schema), schema)
    expect(branches.map(({ label }) => label)).toEqual(['circle', 'Square', 'string'])
    expect([{ kind: 'circle' }, { side: 2 }, 'x', 7].map((value) => branchFor(branches, value, schema))).toEqual([
      0, 1, 2, 0,
    ])
  })

  it('begins with defaults, constants and what has to be there', () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { const: 'mail' },
        to: { type: 'array', items: { type: 'string' }, minItems: 1 },
        days: { type: 'integer', default: 3 },
        note: { type: 'string' },
        place: { type: 'object', properties: { room: { type: 'string', default: 'A' } }, required: ['room'] },
      },
      required: ['kind', 'to', 'place'],
    }
    expect(blankOf(nodeOf(schema, schema), schema)).toEqual({
      ...{ kind: 'mail', to: [''], days: 3, place: { room: 'A' } },
    })
  })

  it('survives any schema, cycles included', () => {
    expect(kinds({ properties: { a: { $ref: '#/properties/a' } } })).toEqual([['a', 'json']])
    const tree = {
      type: 'object',
      properties: { below: { type: 'array', items: { $ref: '#' }, minItems: 2 } },
      required: ['below'],
    }
    expect(JSON.stringify(blankOf(nodeOf(tree, tree), tree)).length).toBeLessThan(5000)
    fc.assert(
      fc.property(fc.json(), (text) => {
        const schema = { type: 'object', properties: { a: JSON.parse(text) }, required: ['a'] } as JsonObject
        const root = nodeOf(schema, schema)
        blankOf(root, schema)
        for (const { node } of membersOf(root, schema)) walked(node, { a: [1, null] }, schema)
      }),
    )
  })
})

/**
 * What the page does with a value: takes it apart as its fields do, lets each write down what it shows, and puts it together
 * again. What a field cannot carry is JSON.
 */
const walked = (node: FormNode, value: JsonValue, root: JsonObject, depth = 0): JsonValue => {
  if (depth > 20 || !carries(node, value) || value === null) return JSON.parse(JSON.stringify(value)) as JsonValue
  switch (node.kind) {
    case 'text':
      // An empty text is left as it is: nobody typed into the field.
      return value === '' ? value : fromText('text', toText(value))!
    case 'number':
      return fromText('number', toText(value))!
    case 'boolean':
      return value
    case 'enum':
      return JSON.parse(
        JSON.stringify(choicesOf(node.schema).find((each) => JSON.stringify(each) === JSON.stringify(value))),
      ) as JsonValue
    case 'object': {
      const members = membersOf(node, root)
      const known = members.reduce<JsonObject>((made, { name, node: each }) => {
        const own = Object.hasOwn(made, name) ? made[name] : undefined
        return own === undefined ? made : withKey(made, name, walked(each, own, root, depth + 1))
      }, value as JsonObject)
      const extras = extrasOf(
        value,
        members.map(({ name }) => name),
      )
      return extras.reduce((made, [name, each]) => withKey(made, name, each), known)
    }
    case 'map': {
      const entry = entryOf(node, root)!
      return Object.entries(value as JsonObject).reduce(
        (made, [key, each]) => withKey(made, key, walked(entry, each!, root, depth + 1)),
        value as JsonObject,
      )
    }
    case 'list':
      return (value as readonly JsonValue[]).reduce<readonly JsonValue[]>(
        (made, each, at) => withItem(made, at, walked(itemOf(node, at, root), each, root, depth + 1)),
        value as readonly JsonValue[],
      )
    case 'choice': {
      const branches = branchesOf(node, root)
      return walked(branches[branchFor(branches, value, root)]!.node, value, root, depth + 1)
    }
    default:
      return value
  }
}

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonObject>(
      { type: 'string' },
      { type: 'string', format: 'date' },
      { type: 'number' },
      { type: 'integer', minimum: 0 },
      { type: 'boolean' },
      { type: ['string', 'null'] },
      { enum: ['a', 1, null, { x: 1 }] },
      { const: 7 },
      {},
      { $ref: '#/$defs/tree' },
    ),
    fc
      .dictionary(fc.string({ maxLength: 5 }), tie('schema'), { maxKeys: 4 })
      .map((properties) => ({ type: 'object', properties })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.array(tie('schema'), { minLength: 2, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie('schema'), { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf: [...anyOf, { type: 'null' }] })),
  ) as fc.Arbitrary<JsonObject>,
}))

const tree = {
  type: 'object',
  properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['name'],
}

describe('a value in a form (G4)', () => {
  it('comes out as it went in, whatever the schema and whether or not it fits', () => {
    fc.assert(
      fc.property(schema, fc.jsonValue(), (inner, value) => {
        const root = { ...inner, $defs: { tree } } as JsonObject
        const out = walked(nodeOf(root, root), value as JsonValue, root)
        expect(JSON.stringify(out)).toBe(JSON.stringify(value))
      }),
      { numRuns: 1000 },
    )
  })

  it('comes out as it went in where the form has a field for every part of it', () => {
    const schemas = createSchemas()
    const root = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        when: { type: 'string', format: 'date-time' },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { sku: { type: 'string' }, n: { type: 'integer' } } },
        },
        to: {
          oneOf: [
            { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] },
            { type: 'integer' },
          ],
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        parent: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
      },
    } as JsonObject
    const { value } = fc.letrec<{ value: JsonObject }>((tie) => ({
      value: fc.record(
        {
          name: fc.string(),
          when: fc.constant('2026-01-31T12:00:00+02:00'),
          lines: fc.array(fc.record({ sku: fc.string(), n: fc.integer() }, { requiredKeys: [] })),
          to: fc.oneof(fc.record({ mail: fc.string() }), fc.integer()),
          labels: fc.dictionary(fc.string(), fc.string()),
          parent: fc.option(tie('value'), { depthSize: 'small', maxDepth: 3 }),
          unknown: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
    }))
    fc.assert(
      fc.property(value, (given) => {
        expect(schemas.validator(root).check(given).ok).toBe(true)
        expect(JSON.stringify(walked(nodeOf(root, root), given, root))).toBe(JSON.stringify(given))
      }),
    )
  })

  it('keeps its keys in order when one is set, renamed or taken out, whatever they are called', () => {
    const value = withKey({}, '__proto__', 'x')
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(withKey(value, '__proto__', undefined)).toEqual({})
    expect(JSON.stringify(withKey({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}')
    expect(JSON.stringify(renamed({ a: 1, b: 2 }, 'a', 'c'))).toBe('{"c":1,"b":2}')
    expect(renamed({ a: 1, b: 2 }, 'a', 'b')).toEqual({ a: 1, b: 2 })
    expect(moved([1, 2, 3], 0, 1)).toEqual([2, 1, 3])
    expect(moved([1, 2, 3], 0, -1)).toEqual([1, 2, 3])
    expect(isObject([])).toBe(false)
  })
})

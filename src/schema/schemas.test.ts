import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import { createSchemas, formatProblems, type SchemaOptions } from './schemas.js'

const check = (schema: JsonObject | boolean, value: unknown, options?: SchemaOptions) =>
  createSchemas(options).validator(schema).check(value)

const accepts = (schema: JsonObject | boolean, value: unknown, options?: SchemaOptions) =>
  check(schema, value, options).ok

const problems = (schema: JsonObject, value: unknown): string => {
  const result = check(schema, value)
  return result.ok ? 'ok' : formatProblems(result.problems)
}

describe('a validator', () => {
  const weather: JsonObject = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', minimum: 1 },
      tags: { items: { type: 'string' } },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  }

  it('gives the very input back when nothing changed', () => {
    const value = { city: 'Rome', days: 2 }
    const result = check(weather, value)
    expect(result.ok && result.value === value).toBe(true)
  })

  it('lists every problem, with places and without values', () => {
    expect(problems(weather, { city: 4711, tags: ['a', 'secret', 12], extra: 'canary' })).toBe(
      "'/city' must be a string, got number; '/tags/2' must be a string, got number; '/days' is required; '/extra' is not a known property",
    )
    expect(problems(weather, [])).toBe('the value must be an object, got array')
  })

  it('explains the one alternative that is meant', () => {
    const optional = { properties: { at: { anyOf: [{ type: 'null' }, { type: 'object', required: ['lat'] }] } } }
    expect(problems(optional, { at: {} })).toBe("'/at/lat' is required")
    expect(problems(optional, { at: 3 })).toBe("'/at' must fit one of the 2 allowed forms")
  })

  it('bounds what it reports', () => {
    const many = Array.from({ length: 100 }, () => 'x')
    const result = check({ items: { type: 'number' } }, many)
    expect(result.ok ? 0 : result.problems.length).toBe(20)
    expect(problems({ items: { type: 'number' } }, many)).toMatch(/and 12 more$/)
    expect(problems({ additionalProperties: false }, { ['k'.repeat(500)]: 1 }).length).toBeLessThan(200)
  })

  it('escapes keys in paths', () => {
    const result = check({ additionalProperties: { type: 'string' } }, { 'a/b~c': 1 })
    expect(result.ok ? '' : result.problems[0]?.path).toBe('/a~1b~0c')
  })

  it('reads own members only (T30, S143)', () => {
    expect(accepts({ required: ['__proto__'] }, {})).toBe(false)
    expect(accepts({ required: ['toString'] }, {})).toBe(false)
    expect(accepts({ required: ['__proto__'] }, JSON.parse('{"__proto__":1}'))).toBe(true)
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}')
    expect(accepts(schema, JSON.parse('{"__proto__":"x"}'))).toBe(true)
    expect(accepts(schema, JSON.parse('{"__proto__":1}'))).toBe(false)
    expect(accepts({ properties: { constructor: { type: 'number' } } }, {})).toBe(true)
  })

  it('treats keys that hold undefined as absent', () => {
    expect(accepts({ required: ['a'] }, { a: undefined })).toBe(false)
    expect(
      accepts({ properties: { a: { type: 'string' } }, additionalProperties: false }, { a: undefined, b: undefined }),
    ).toBe(true)
    expect(accepts({ maxProperties: 0 }, { a: undefined })).toBe(true)
  })

  it('refuses numbers JSON does not have', () => {
    expect(accepts({ type: 'number' }, Number.NaN)).toBe(false)
    expect(accepts({ type: 'number' }, JSON.parse('1e400'))).toBe(false)
  })

  it.each([
    [0.0075, 0.0001, true],
    [0.3, 0.1, true],
    [1.1, 0.1, true],
    [35, 1.5, false],
    [1e308, 0.123456789, false],
    [12391239123, 1e-8, true],
    [5e-324, 1e-300, false],
    [0, 1e-300, true],
    [-4, 2, true],
  ])('finds that %d as a multiple of %d is %s', (value, divisor, expected) => {
    expect(accepts({ multipleOf: divisor }, value)).toBe(expected)
  })

  it('finds a repeated item among thousands of objects (S146)', () => {
    const items = Array.from({ length: 5_000 }, (_, id) => ({ id, tags: ['a', { b: id }] }))
    expect(accepts({ uniqueItems: true }, items)).toBe(true)
    expect(accepts({ uniqueItems: true }, [...items, { tags: ['a', { b: 7 }], id: 7 }])).toBe(false)
    expect(accepts({ uniqueItems: true }, [1, true, '1', null, [1], { a: 1 }, 0, false])).toBe(true)
    expect(accepts({ uniqueItems: true }, ['{}', {}, '[]', []])).toBe(true)
  })

  it('ends on values and schemas that recurse without end', () => {
    const tree = { properties: { child: { $ref: '#' } } }
    const loop: Record<string, unknown> = {}
    loop.child = loop
    expect(check(tree, loop)).toMatchObject({ ok: false, problems: [{ keyword: 'depth' }] })
    const fan: Record<string, JsonObject> = { d22: { type: 'string' } }
    for (let i = 0; i < 22; i++)
      fan[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
    const bomb: JsonObject = { not: { $ref: '#/$defs/d0' }, $defs: fan }
    // Below `not`, a bound that only failed would turn into success.
    expect(check(bomb, 'x', { maxSteps: 20 })).toMatchObject({ ok: false, problems: [{ keyword: 'steps' }] })
    // What was found out about a value is remembered, so that the fan is no work at all.
    expect(check(bomb, 1)).toMatchObject({ ok: true })
    let deep: unknown = []
    for (let i = 0; i < 500_000; i++) deep = [deep, i]
    expect(check({ uniqueItems: true }, [deep, 1])).toMatchObject({ ok: false, problems: [{ keyword: 'depth' }] })
  })

  it('survives a getter that checks something itself', () => {
    const schemas = createSchemas()
    const validator = schemas.validator({ properties: { a: { type: 'string' } } })
    const value = {
      get a() {
        return validator.check({ a: 1 }).ok ? 1 : 'inner refused'
      },
    }
    expect(validator.check(value).ok).toBe(true)
  })

  it('checks formats only when asked (S142)', () => {
    expect(accepts({ format: 'date' }, 'nope')).toBe(true)
    expect(accepts({ format: 'date' }, '2024-02-30', { formats: 'assert' })).toBe(false)
    expect(accepts({ format: 'date' }, '2024-02-29', { formats: 'assert' })).toBe(true)
    expect(accepts({ format: 'regex' }, '(', { formats: 'assert' })).toBe(false)
    expect(accepts({ format: 'made-up' }, 'x', { formats: 'assert' })).toBe(true)
  })
})

describe('defaults', () => {
  it('are merged before required is checked, along the path only', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        unit: { type: 'string', default: 'c' },
        inner: { properties: { n: { default: 1 } } },
        list: { items: { properties: { k: { default: [] } } } },
      },
      required: ['unit'],
    }
    const value = { inner: {}, list: [{ k: 1 }, {}], kept: { x: 1 } }
    const before = JSON.stringify(value)
    const result = check(schema, value)
    expect(result).toEqual({
      ok: true,
      value: { inner: { n: 1 }, list: [{ k: 1 }, { k: [] }], kept: { x: 1 }, unit: 'c' },
    })
    expect(JSON.stringify(value)).toBe(before)
    const filled = result.ok ? (result.value as typeof value) : value
    expect(filled.kept).toBe(value.kept)
    expect(filled.list[0]).toBe(value.list[0])
  })

  it('come through references, allOf and the branch that fits', () => {
    const schema: JsonObject = {
      allOf: [{ $ref: '#/$defs/Base' }],
      properties: { b: { $ref: '#/$defs/B' } },
      anyOf: [
        { properties: { kind: { const: 'x' }, no: { default: 1 } }, required: ['kind'] },
        { properties: { kind: { const: 'y' }, yes: { default: 2 } }, required: ['kind'] },
      ],
      if: { properties: { kind: { const: 'y' } } },
      then: { properties: { then: { default: 3 } } },
      else: { properties: { otherwise: { default: 4 } } },
      $defs: { Base: { properties: { a: { default: 0 } } }, B: { type: 'string', default: 'bee' } },
    }
    expect(check(schema, { kind: 'y' })).toEqual({ ok: true, value: { kind: 'y', a: 0, b: 'bee', yes: 2, then: 3 } })
  })

  it('are copies, so that a tool cannot change the schema', () => {
    const schemas = createSchemas()
    const validator = schemas.validator({ properties: { list: { default: [{ a: 1 }] } } })
    const first = validator.check({}) as { value: { list: { a: number }[] } }
    first.value.list[0]!.a = 2
    expect(validator.check({})).toEqual({ ok: true, value: { list: [{ a: 1 }] } })
  })

  it('that their own schema refuses are not applied', () => {
    const schema = { properties: { name: { type: 'string', default: null } } }
    const value = {}
    expect(check(schema, value)).toEqual({ ok: true, value })
  })

  it('of a recursive schema end', () => {
    const schema = { properties: { child: { $ref: '#', default: {} }, n: { default: 1 } } }
    expect(check(schema, {})).toEqual({ ok: true, value: { child: { n: 1 }, n: 1 } })
  })

  it('pollute nothing (S144, T30)', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"default":{"x":1}},"o":{"default":{"__proto__":{"y":1}}}}}')
    const result = check(schema, {})
    expect(JSON.stringify(result)).toBe('{"ok":true,"value":{"__proto__":{"x":1},"o":{"__proto__":{"y":1}}}}')
    expect(({} as { x?: number | undefined }).x).toBeUndefined()
    expect(Object.getPrototypeOf(result.ok && result.value)).toBe(Object.prototype)
  })
})

describe('schemas', () => {
  it('share one validator among equal schemas', () => {
    const schemas = createSchemas()
    const one = { type: 'object', properties: { a: { type: 'string' }, b: {} } }
    const two = {
      properties: { b: {}, a: { type: 'string' } },
      type: 'object',
      title: undefined,
    } as unknown as JsonObject
    expect(schemas.validator(one)).toBe(schemas.validator(two))
    expect(schemas.validator(one)).not.toBe(schemas.validator({ type: 'object' }))
  })

  it('keep a bounded number of validators', () => {
    const schemas = createSchemas({ cacheSize: 2 })
    const first = { const: 1 }
    const kept = schemas.validator(first)
    schemas.validator({ const: 2 })
    schemas.validator({ const: 3 })
    expect(schemas.validator(first)).not.toBe(kept)
    expect(schemas.validator(first).check(1).ok).toBe(true)
  })

  it('remember refusals', () => {
    const schemas = createSchemas()
    const bad = { type: 'text' }
    expect(() => schemas.validator(bad)).toThrow("at '/type'")
    expect(() => schemas.validator(bad)).toThrow("at '/type'")
  })

  it('read older tuples and dependencies where no dialect is named', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false } as JsonObject
    expect(accepts(tuple, ['a'])).toBe(true)
    expect(accepts(tuple, ['a', 'b'])).toBe(false)
    expect(accepts({ dependencies: { a: ['b'] } }, { a: 1 })).toBe(false)
    expect(() => check({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...tuple }, [])).toThrow(
      'prefixItems',
    )
  })

  it('understand dynamic and recursive references', () => {
    const strictTree: JsonObject = {
      $id: 'https://example.test/strict',
      $ref: 'tree',
      $dynamicAnchor: 'node',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'https://example.test/tree',
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
      },
    }
    expect(accepts(strictTree, { children: [{ data: 1 }] })).toBe(true)
    expect(accepts(strictTree, { children: [{ daat: 1 }] })).toBe(false)
  })

  it('judge unevaluated members across applicators (S149)', () => {
    const schema: JsonObject = {
      allOf: [{ properties: { a: {} } }],
      anyOf: [{ properties: { b: { const: 1 } }, required: ['b'] }, { properties: { c: {} } }],
      unevaluatedProperties: false,
    }
    expect(accepts(schema, { a: 1, b: 1 })).toBe(true)
    expect(accepts(schema, { a: 1, b: 1, c: 1 })).toBe(true)
    expect(accepts(schema, { a: 1, b: 2 })).toBe(false)
    expect(problems(schema, { d: 1 })).toBe("'/d' is not a known property")
  })

  it('take booleans', () => {
    expect(accepts(true, 1)).toBe(true)
    expect(accepts(false, 1)).toBe(false)
    expect(accepts({ properties: { a: false } }, { a: 1 })).toBe(false)
  })
})

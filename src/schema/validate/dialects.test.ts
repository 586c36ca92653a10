import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/json.js'
import { createSchemas } from '../schemas.js'

// What differs between drafts; the whole is measured with scripts/json-schema-suite.mjs.
const accepts = (schema: JsonObject, value: unknown) => createSchemas().validator(schema).check(value).ok
const draft7 = (schema: JsonObject): JsonObject => ({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })
const draft2019 = (schema: JsonObject): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  ...schema,
})

describe('draft-07', () => {
  it('ignores what stands beside $ref', () => {
    const schema = draft7({
      properties: { a: { $ref: '#/definitions/S', maxLength: 1, default: 'x' } },
      definitions: { S: { type: 'string' } },
    })
    expect(accepts(schema, { a: 'long' })).toBe(true)
    expect(createSchemas().validator(schema).check({})).toEqual({ ok: true, value: {} })
  })

  it('names anchors by $id', () => {
    const schema = draft7({ $ref: '#s', definitions: { S: { $id: '#s', type: 'string' } } })
    expect([accepts(schema, 'x'), accepts(schema, 1)]).toEqual([true, false])
  })

  it('knows neither prefixItems nor unevaluated members', () => {
    expect(accepts(draft7({ prefixItems: [{ type: 'string' }], unevaluatedProperties: false }), { a: 1 })).toBe(true)
    expect(accepts(draft7({ contains: { const: 1 }, minContains: 2 }), [1])).toBe(true)
  })

  it('takes schemas as dependencies', () => {
    const schema = draft7({ dependencies: { a: { required: ['b'] }, c: ['d'] } })
    expect([{ a: 1, b: 1 }, { a: 1 }, { c: 1 }, { c: 1, d: 1 }].map((value) => accepts(schema, value))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe('2019-09', () => {
  it('extends a recursive schema from outside', () => {
    const schema = draft2019({
      $id: 'https://example.test/strict',
      $recursiveAnchor: true,
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'https://example.test/tree',
          $recursiveAnchor: true,
          properties: { data: true, children: { items: { $recursiveRef: '#' } } },
        },
      },
    })
    expect(accepts(schema, { children: [{ data: 1 }] })).toBe(true)
    expect(accepts(schema, { children: [{ daat: 1 }] })).toBe(false)
    expect(() => accepts(draft2019({ $recursiveRef: 'x' }), 1)).toThrow("at '/$recursiveRef'")
  })

  it('does not count what contains found as evaluated; 2020-12 does', () => {
    const schema = { contains: { const: 1 }, unevaluatedItems: false }
    expect(accepts(draft2019(schema), [1])).toBe(false)
    expect(accepts(schema, [1])).toBe(true)
    expect(accepts(schema, [1, 2])).toBe(false)
  })

  it('reads lists of items and what follows them', () => {
    const schema = draft2019({
      items: [{ type: 'string' }],
      additionalItems: { type: 'number' },
      unevaluatedItems: false,
    })
    expect([['a', 1], ['a', 'b'], [1]].map((value) => accepts(schema, value))).toEqual([true, false, false])
  })
})

describe('references', () => {
  it('start from the nearest $id', () => {
    const schema: JsonObject = {
      $id: 'https://example.test/root/',
      properties: { a: { $ref: 'part#/$defs/n' }, b: { $ref: '#/$defs/part/$defs/m' } },
      $defs: { part: { $id: 'part', $defs: { n: { type: 'number' }, m: { $ref: '#/$defs/n' } } } },
    }
    expect([{ a: 1, b: 2 }, { a: 'x' }, { b: 'x' }].map((value) => accepts(schema, value))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('reach places the dialect does not know as schemas', () => {
    const schema = { properties: { a: { $ref: '#/components/list/0' } }, components: { list: [{ type: 'string' }] } }
    expect([accepts(schema, { a: 'x' }), accepts(schema, { a: 1 })]).toEqual([true, false])
  })
})

describe('formats', () => {
  const assert = createSchemas({ formats: 'assert' })
  it.each([
    ['date-time', '2024-06-30T23:59:60Z', '2024-06-30T23:58:60Z'],
    ['time', '12:00:00.5+01:30', '25:00:00Z'],
    ['duration', 'P1Y2M3DT4H', 'PT'],
    ['email', '"a b"@example.test', 'a..b@example.test'],
    ['hostname', 'a-b.example', '-a.example'],
    ['ipv4', '127.0.0.1', '127.0.0.256'],
    ['ipv6', '::1', 'fe80::1%eth0'],
    ['uri', 'https://example.test/a?b#c', '//no.scheme/'],
    ['uuid', '2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8-aa08'],
    ['json-pointer', '/a~0b', '/a~b'],
    ['relative-json-pointer', '1/a', '/a'],
    ['regex', '^a$', '^(a'],
  ])('%s allows %s and not %s', (format, good, bad) => {
    const validator = assert.validator({ format })
    expect([validator.check(good).ok, validator.check(bad).ok, validator.check(7).ok]).toEqual([true, false, true])
  })
})

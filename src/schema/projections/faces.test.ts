import { describe, expect, it } from 'vitest'
import { KeyError } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import { toEndpointSafe } from './endpoint-safe.js'
import { fromKwargs } from './from-kwargs.js'
import { toFunctionParameters } from './function-parameters.js'
import { toKwargs } from './kwargs.js'

describe('toFunctionParameters', () => {
  const optionalModel: JsonObject = {
    properties: { owner: { anyOf: [{ $ref: '#/$defs/Person' }, { type: 'null' }] }, body: { type: 'object' } },
    $defs: { Person: { type: 'object', properties: { name: { type: 'string' } } } },
  }

  it('leaves no dangling reference behind', () => {
    const { schema } = toFunctionParameters(optionalModel)
    expect(schema).toEqual({
      type: 'object',
      properties: {
        owner: { anyOf: [{ type: 'object', properties: { name: { type: 'string' } } }, { type: 'null' }] },
        body: { type: 'object', description: 'Request Body参数' },
      },
    })
    expect(toFunctionParameters(null).schema).toEqual({ type: 'object' })
  })

  it('does exactly what document 004 does when asked (004-15)', () => {
    const { schema } = toFunctionParameters(optionalModel, { compat: true })
    expect(JSON.stringify(schema)).toContain('#/$defs/Person')
  })
})

describe('toEndpointSafe', () => {
  it('keeps type, properties and required at the root, references inlined (X13)', () => {
    const { schema, losses } = toEndpointSafe({
      title: 'T',
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', description: 'kept' } },
      required: ['a'],
      allOf: [{ properties: { b: { type: 'string' } } }],
      additionalProperties: false,
      $defs: { A: { type: 'string', enum: ['x'] } },
    })
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string', enum: ['x'], description: 'kept' }, b: { type: 'string' } },
      required: ['a'],
    })
    expect(losses.map((loss) => loss.keyword).sort()).toEqual(['additionalProperties', 'title'])
  })
})

describe('toKwargs', () => {
  const a = { type: 'string', title: 'A' }

  it.each<[JsonObject, JsonObject]>([
    [{ additionalProperties: false }, { a: ['string', ''] }],
    [{ additionalProperties: true }, { a: ['string', ''], '<*>': ['any', ''] }],
    [{ additionalProperties: null }, { a: ['string', ''], '<*>': ['any', ''] }],
    [
      { additionalProperties: { type: 'number', title: 'X', description: 'x' } },
      { a: ['string', ''], '<*>': ['number', 'description: x'] },
    ],
    [{}, { a: ['string', ''] }],
  ])('reads %j as document 003 does (003 compat 3)', (extra, expected) => {
    const schema = { type: 'object', properties: { a }, ...extra }
    const before = JSON.stringify(schema)
    expect(toKwargs(schema).value).toEqual(expected)
    expect(JSON.stringify(schema)).toBe(before)
  })

  it('writes the remaining keywords as Python would', () => {
    const schema = {
      type: 'object',
      properties: { x: { enum: ['a', "it's", null], default: true, minimum: 1.5, description: 'd' } },
      required: ['x'],
    }
    const { value, losses } = toKwargs(schema)
    expect(value).toEqual({ x: ['any', "enum: ['a', \"it's\", None];default: True;minimum: 1.5;description: d"] })
    expect(losses).toMatchObject([{ keyword: 'required' }])
  })

  it('gives null for nothing and throws what document 003 throws', () => {
    expect(toKwargs(null).value).toBeNull()
    expect(toKwargs({}).value).toBeNull()
    expect(toKwargs({ type: 'object' }).value).toBeNull()
    expect(() => toKwargs({ properties: {} })).toThrow(KeyError)
    expect(() => toKwargs({ type: 'string' })).toThrow(TypeError)
  })
})

describe('fromKwargs', () => {
  it('reads names, generics, constructors and schemas', () => {
    const { schema, losses } = fromKwargs({
      a: ['str', 'the name'],
      b: [Number, 'Default: 3'],
      c: ['list[int]', ''],
      d: ['dict[str, float]', ''],
      e: ['int | None', ''],
      f: ["Literal['x', 'y']", ''],
      g: [{ type: 'string', format: 'date' }, ''],
      h: 'any',
      i: ['Optional[list[str]]', ''],
      j: [class Mystery {}, ''],
      '<*>': ['any', ''],
    })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'the name' },
        b: { type: 'number', description: 'Default: 3' },
        c: { type: 'array', items: { type: 'integer' } },
        d: { type: 'object', additionalProperties: { type: 'number' } },
        e: { type: ['integer', 'null'] },
        f: { enum: ['x', 'y'] },
        g: { type: 'string', format: 'date' },
        h: {},
        i: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
        j: {},
      },
      additionalProperties: true,
    })
    expect(losses).toMatchObject([{ path: '/j', keyword: 'type' }])
  })

  it('requires what has no default, when asked', () => {
    const kwargs = { a: ['str', ''], b: ['str', 'text;Default: x'] }
    expect(fromKwargs(kwargs, { required: 'without-default' }).schema.required).toEqual(['a'])
    expect(fromKwargs(kwargs).schema.required).toBeUndefined()
    expect(fromKwargs(null).schema).toEqual({ type: 'object', properties: {} })
  })

  it('gives back what toKwargs took, apart from required', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', description: 'the a' }, b: { type: 'integer' } },
    }
    expect(fromKwargs(toKwargs(schema).value).schema).toEqual(schema)
  })
})

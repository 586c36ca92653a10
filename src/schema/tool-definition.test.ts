import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGatewayError } from '../errors.js'
import { parseToolDefinition } from './tool-definition.js'

const schema = { type: 'object', properties: { a: { type: 'string' } } }

describe('parseToolDefinition', () => {
  it.each([
    { name: 't', description: 'd', inputSchema: schema },
    { name: 't', description: 'd', input_schema: schema },
    { name: 't', description: 'd', parameters: schema },
    { type: 'function', function: { name: 't', description: 'd', parameters: schema } },
    { type: 'function', name: 't', description: 'd', parameters: schema },
    { name: 't', description: 'd', inputSchema: null, input_schema: schema, title: null },
  ])('reads every spelling (C2): %j', (raw) => {
    expect(parseToolDefinition(raw)).toEqual({ name: 't', description: 'd', inputSchema: schema })
  })

  it.each([{ name: 't' }, { name: 't', inputSchema: null }, { name: 't', parameters: null }])(
    'takes a missing schema for an open object (C11): %j',
    (raw) => {
      expect(parseToolDefinition(raw)).toEqual({ name: 't', inputSchema: { type: 'object' } })
    },
  )

  it.each([[['object', 'null']], [['object']]])('takes a root of type %j for an object (B8)', (type) => {
    expect(parseToolDefinition({ name: 't', inputSchema: { type, required: ['a'] } })).toEqual({
      name: 't',
      inputSchema: { type: 'object', required: ['a'] },
    })
  })

  it('keeps fields it does not know and never changes its input (T30)', () => {
    const raw = JSON.parse(
      '{"name":"t","inputSchema":{},"output_schema":{"type":"string"},"vendor":{"x":1},"__proto__":{"p":1},"parameters":{"own":1}}',
    )
    const before = JSON.stringify(raw)
    const tool = parseToolDefinition(raw)
    expect(JSON.stringify(tool)).toBe(
      '{"name":"t","inputSchema":{},"outputSchema":{"type":"string"},"vendor":{"x":1},"__proto__":{"p":1},"parameters":{"own":1}}',
    )
    expect(Object.getPrototypeOf(tool)).toBe(Object.prototype)
    expect(JSON.stringify(raw)).toBe(before)
  })

  it.each<[unknown, string, string]>([
    [null, 'TOOL_INVALID', 'got null'],
    [[], 'TOOL_INVALID', 'got array'],
    [{}, 'TOOL_INVALID', "'/name': is required"],
    [{ name: '' }, 'TOOL_INVALID', 'must not be empty'],
    [{ name: 7 }, 'TOOL_INVALID', 'got number'],
    [{ name: 't', description: 7 }, 'TOOL_INVALID', "'t' at '/description'"],
    [{ name: 't', annotations: [] }, 'TOOL_INVALID', "'/annotations'"],
    [{ type: 'function', function: 'x' }, 'TOOL_INVALID', "'/function'"],
    [
      { name: 't', inputSchema: true },
      'SCHEMA_INVALID',
      "'t' at '/inputSchema': must be a JSON Schema object, got boolean",
    ],
    [{ name: 't', parameters: [] }, 'SCHEMA_INVALID', "'/parameters'"],
    [{ name: 't', output_schema: 'x' }, 'SCHEMA_INVALID', "'/output_schema'"],
    [{ name: 't', inputSchema: { type: 'array' } }, 'SCHEMA_INVALID', "'/inputSchema/type'"],
    [{ name: 't', inputSchema: { type: ['string', 'null'] } }, 'SCHEMA_INVALID', "'/inputSchema/type'"],
  ])('refuses %j as %s', (raw, code, words) => {
    expect(() => parseToolDefinition(raw, 'tool of shop')).toThrow(expect.objectContaining({ code }))
    expect(() => parseToolDefinition(raw, 'tool of shop')).toThrow(words)
    expect(() => parseToolDefinition(raw, 'tool of shop')).toThrow('tool of shop')
  })

  it('gives a tool or a named refusal for anything', () => {
    const field = fc.constantFrom(
      'name',
      'description',
      'inputSchema',
      'input_schema',
      'parameters',
      'type',
      'function',
      '__proto__',
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (raw) => {
        try {
          expect(parseToolDefinition(raw).name).not.toBe('')
        } catch (thrown) {
          expect(isGatewayError(thrown)).toBe(true)
        }
      }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  DataFormatter,
  from_schema_to_kwargs_format,
  fromSchemaToKwargsFormat,
  KeyError,
  sanitize,
  ToolManager,
} from '../../src/exports/compat.js'

describe('003-04 DataFormatter.sanitize', () => {
  class Point {
    x = 1
  }
  it('makes plain data of anything, and changes nothing', () => {
    const loop: Record<string, unknown> = { when: new Date(0), size: 10n, seen: new Set([1, Number.NaN]) }
    loop.self = loop
    const before = { ...loop }
    expect(sanitize(loop)).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      size: '10',
      seen: [1, 'NaN'],
      self: '…',
    })
    expect(loop).toEqual(before)
    expect(sanitize([new Map([['a', new Error('no')]]), /x/, undefined])).toEqual([{ a: 'no' }, '/x/', undefined])
  })

  it('names types, or leaves them where that is asked for', () => {
    const shape = { name: String, sizes: [Number], place: Point }
    expect(DataFormatter.sanitize(shape)).toEqual({ name: 'string', sizes: ['number'], place: 'Point' })
    expect(DataFormatter.sanitize(shape, { remainType: true })).toEqual(shape)
    expect(sanitize({ answer: z.object({ a: z.string() }) })).toMatchObject({
      answer: { type: 'object', properties: { a: { type: 'string' } } },
    })
  })

  it('is what a tool says it returns', () => {
    const tools = new ToolManager()
    tools.toolFunc(() => 1, { name: 'typed', returns: { total: Number, at: new Date(0) } })
    expect(tools.getToolInfo().typed!.returns).toEqual({ total: Number, at: '1970-01-01T00:00:00.000Z' })
  })
})

describe('003-08 from_schema_to_kwargs_format', () => {
  it('gives pairs by name, null for nothing, and refuses what is no object', () => {
    expect(from_schema_to_kwargs_format).toBe(fromSchemaToKwargsFormat)
    expect(DataFormatter.from_schema_to_kwargs_format).toBe(fromSchemaToKwargsFormat)
    expect(
      fromSchemaToKwargsFormat({
        type: 'object',
        properties: { n: { type: 'integer', title: 'N', description: 'How many' } },
        additionalProperties: true,
      }),
    ).toEqual({ n: ['integer', 'description: How many'], '<*>': ['any', ''] })
    expect(fromSchemaToKwargsFormat(null)).toBeNull()
    expect(() => fromSchemaToKwargsFormat({ properties: {} })).toThrow(KeyError)
    expect(() => fromSchemaToKwargsFormat({ type: 'array' })).toThrow(TypeError)
  })
})

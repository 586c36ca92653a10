import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/json.js'
import { parametersByPlace as byPlace, fixedByPlace, isHeaderParam } from './box-parameters.js'

const parametersByPlace = (spec: JsonObject) => byPlace(spec, { schemas: 'original', depth: 3 })

describe('the parameters of a box tool', () => {
  it('are grouped by where they go, empty groups left out', () => {
    const spec = {
      parameters: [
        { name: 'id', in: 'path', required: true, description: '资源ID', schema: { type: 'string' } },
        { name: 'limit', in: 'query', schema: { type: 'integer', enum: [1, 2] } },
        { name: 'X-Request-ID', in: 'header', required: true },
        { name: 'broken', in: 'query', schema: { $ref: '#/components/schemas/Nope' } },
        { name: 'c', in: 'cookie', schema: {} },
      ],
    }
    expect(parametersByPlace(spec)).toEqual({
      type: 'object',
      properties: {
        header: {
          type: 'object',
          description: 'HTTP Header 参数',
          properties: { 'X-Request-ID': { type: 'string' } },
          required: ['X-Request-ID'],
        },
        path: {
          type: 'object',
          description: 'URL Path 参数',
          properties: { id: { type: 'string', description: '资源ID' } },
          required: ['id'],
        },
        query: {
          type: 'object',
          description: 'URL Query 参数',
          properties: { limit: { type: 'integer', enum: [1, 2] } },
        },
      },
    })
  })

  it('take the body apart, through references into components (004-11)', () => {
    const spec = {
      request_body: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            properties: { name: { type: 'string' }, mother: { $ref: '#/components/schemas/Pet' } },
            required: ['name'],
          },
        },
      },
    }
    expect(parametersByPlace(spec)).toMatchObject({
      properties: {
        body: {
          description: 'Request Body 参数',
          properties: { name: { type: 'string' }, mother: { type: 'object' } },
          required: ['name'],
        },
      },
    })
  })

  it('are a body even when there is nothing', () => {
    expect(parametersByPlace({})).toMatchObject({ properties: { body: { type: 'object', properties: {} } } })
  })

  it('fall back to one body where it cannot be resolved', () => {
    const schema = { $ref: '#/components/schemas/Nope' }
    const spec = { request_body: { content: { 'application/json': { schema } } } }
    expect(parametersByPlace(spec)).toMatchObject({ properties: { body: { properties: { request_body: {} } } } })
  })
})

describe('the parameters of a box tool, converted completely (B7)', () => {
  it('say all that the operation says, and refer to nothing', () => {
    const spec = {
      parameters: [
        { name: 'when', in: 'query', schema: { anyOf: [{ $ref: '#/components/schemas/Day' }, { type: 'null' }] } },
        { name: 'size', in: 'query', schema: { type: ['integer', 'null'], minimum: 1 } },
      ],
      request_body: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
      components: {
        schemas: {
          Day: { type: 'string', format: 'date' },
          Pet: {
            type: 'object',
            properties: { born: { additionalProperties: { $ref: '#/components/schemas/Day' }, type: 'object' } },
          },
        },
      },
    }
    const converted = byPlace(spec, { schemas: 'complete', depth: 3 })
    expect(JSON.stringify(converted)).not.toContain('$ref')
    expect(converted).toMatchObject({
      properties: {
        query: {
          properties: {
            when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
            size: { type: ['integer', 'null'], minimum: 1 },
          },
        },
        body: { properties: { born: { additionalProperties: { type: 'string', format: 'date' } } } },
      },
    })
    const original = JSON.stringify(byPlace(spec, { schemas: 'original', depth: 3 }))
    expect(original).not.toBe(JSON.stringify(converted))
  })
})

describe('fixed values of a box tool', () => {
  it('go where the operation says, else by how they look, else into the body', () => {
    const spec = {
      parameters: [
        { name: 'id', in: 'path' },
        { name: 'limit', in: 'query' },
      ],
    }
    expect(fixedByPlace({ id: '1', limit: 2, 'x-a': 'h', name: 'n' }, spec)).toEqual({
      header: { 'x-a': 'h' },
      path: { id: '1' },
      query: { limit: 2 },
      body: { name: 'n' },
    })
  })

  it.each([
    ['x-custom', true],
    ['X-Request-ID', true],
    ['authorization', true],
    ['Content-Type', true],
    ['id', false],
    ['name', false],
  ])('004 compat 8: %s looks like a header: %s', (name, wanted) => {
    expect(isHeaderParam(name)).toBe(wanted)
  })
})

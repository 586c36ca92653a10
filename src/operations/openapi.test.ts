import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import { openApiDocument } from './openapi.js'
import { operation } from './operation.js'
import { choice, closed, described, integer, otherwise, shape, text, words } from './shape.js'

const find = operation({
  id: 'find',
  method: 'GET',
  path: '/things/:id',
  right: 'discover',
  tag: 'things',
  summary: words('Find a thing', '查找'),
  params: { id: words('Its id', '编号') },
  query: closed({ limit: described(otherwise(integer({ minimum: 1 }), 5), 'How many', '多少') }),
  answers: {
    200: {
      description: words('The thing', '结果'),
      schema: shape({ name: text() }, { size: described(choice(['s', 'l']), 'Its size', '大小') }),
    },
  },
  // The compiler knows what the schema says: `limit` is a number even where nobody sent one.
  run: ({ query }) => ({ json: { name: 'a'.repeat(query.limit) } }),
})

const described200 = (document: JsonObject) =>
  (document as any).paths['/things/{id}'].get.responses[200].content['application/json'].schema

describe('the document of an operation', () => {
  const options = { operations: () => [find], version: '1', about: words('All things', '所有') }

  it('prints the schemas that check requests', () => {
    const { get } = (openApiDocument(options) as any).paths['/things/{id}']
    expect(get).toMatchObject({ operationId: 'find', tags: ['things'], description: 'Needs the right "discover".' })
    expect(get.parameters.map(({ name }: { name: string }) => name)).toEqual(['id', 'limit', 'X-Language'])
    expect(get.parameters[1]).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, default: 5 } })
    expect(described200(openApiDocument(options))).toMatchObject({ required: ['name'] })
  })

  it('is in one language, whichever is asked for', () => {
    const english = openApiDocument(options)
    const chinese = openApiDocument(options, 'zh-Hans')
    expect(described200(english).properties.size).toEqual({ type: 'string', enum: ['s', 'l'], description: 'Its size' })
    expect(described200(chinese).properties.size).toEqual({ type: 'string', enum: ['s', 'l'], description: '大小' })
    expect(JSON.stringify(english)).not.toMatch(/[\u4e00-\u9fff]|x-zh/)
    expect(JSON.stringify(chinese)).not.toMatch(/x-zh|Find a thing|Its size|How many/)
  })
})

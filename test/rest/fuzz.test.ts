import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDeclaredActions } from '../../src/faces/recall/embedded/knowledge.js'
import { createBoardOperators } from '../../src/faces/recall/embedded/operators.js'
import { createRecallOperations } from '../../src/faces/recall/face.js'
import { createGateway } from '../../src/gateway.js'
import type { JsonObject } from '../../src/model/json.js'
import { toRoute } from '../../src/operations/to-route.js'
import { createSchemas } from '../../src/schema/schemas.js'
import { restTools, type Served, serveRest } from '../helpers/serve-rest.js'

interface Described {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonObject }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonObject } } }
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly schema: JsonObject }> }>>
}

let served: Served
const schemas = createSchemas()
beforeAll(async () => {
  const board = createGateway({ tools: restTools().filter(({ definition }) => definition.name !== 'fail') })
  const action = {
    kn_id: 'say',
    at_id: 'say',
    action_source: { type: 'mcp', mcp_id: 'local', tool_name: 'say' },
    actions: [{ parameters: {} }],
  }
  const recall = createRecallOperations({
    knowledge: createDeclaredActions(
      () => [action],
      () => '',
    ),
    operators: createBoardOperators(board, () => ''),
    apiUrl: () => 'http://127.0.0.1',
  })
  // Without the tool whose honest answer is 502: everything else that is 5xx would be ours.
  served = await serveRest({ gateway: board, more: recall.map((each) => toRoute(each)), beside: recall })
})
afterAll(() => served.close())

const ids = [
  'local',
  'add',
  'echo',
  'say',
  'refuse',
  'steps',
  'nope',
  '%2e%2e',
  'a%2Fb',
  '__proto__',
  '%00',
  '%c0%ae',
  'ü',
]

/** Values of a schema, and values that are not. */
const samplesOf = (schema: JsonObject): fc.Arbitrary<unknown> => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>('', null, -1, 1e308, '__proto__', { constructor: 1 }))
  if (Array.isArray(schema.enum)) return fc.oneof(fc.constantFrom(...(schema.enum as unknown[])), odd)
  if (schema.type === 'integer') return fc.oneof(fc.integer({ min: -3, max: 20_000 }), odd)
  if (schema.type === 'boolean') return fc.oneof(fc.boolean(), odd)
  if (schema.type === 'array')
    return fc.oneof(fc.array(samplesOf((schema.items ?? {}) as JsonObject), { maxLength: 4 }), odd)
  if (schema.type === 'object') return fc.oneof(objectOf(schema), odd)
  if (schema.type === 'string') return fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'binary' }), odd)
  return odd
}

const objectOf = (schema: JsonObject): fc.Arbitrary<unknown> => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
  return fc.record(Object.fromEntries(properties.map(([name, field]) => [name, samplesOf(field)])), {
    requiredKeys: [],
  })
}

const requestOf = (path: string, { parameters, requestBody }: Described) =>
  fc.record({
    path: fc.constantFrom(...ids).map((id) => path.replace(/\{\w+\}/g, id)),
    query: fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom('x', ...parameters.filter((each) => each.in === 'query').map(({ name }) => name)),
          fc.string(),
        ),
        fc.oneof(
          ...parameters.filter((each) => each.in === 'query').map(({ schema }) => samplesOf(schema)),
          fc.string(),
        ),
      ),
      { maxLength: 3 },
    ),
    body: requestBody ? samplesOf(requestBody.content['application/json'].schema) : fc.constant(undefined),
    language: fc.constantFrom('zh-CN', 'en-US', 'q'),
  })

// Not `String`: an object with a `toString` that is no function has no text.
const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '?')

describe('every route of the OpenAPI document', () => {
  const operations = async (): Promise<[string, string, Described][]> => {
    const { json } = await served.ask('GET', '/openapi.json')
    return Object.entries(json.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Described] => [
        method.toUpperCase(),
        path,
        operation,
      ]),
    )
  }

  it('answers any request with what the document says, never 5xx, never a stack trace', async () => {
    for (const [method, path, operation] of await operations()) {
      if (operation.operationId === 'watchEvents') continue
      await fc.assert(
        fc.asyncProperty(requestOf(path, operation), async ({ path: target, query, body, language }) => {
          const search = new URLSearchParams(
            query.map(([name, value]): [string, string] => [wellFormed(name), wellFormed(toText(value))]),
          )
          const sent = body === undefined ? undefined : JSON.stringify(body)
          const answer = await served.ask(method, `${target}?${search}`, sent, { 'x-language': language })
          expect(answer.status, answer.text).toBeLessThan(500)
          expect(answer.text).not.toMatch(/node:internal|\.ts:\d|\.js:\d/)
          const type = answer.headers.get('content-type') ?? ''
          if (answer.status === 304 || !type.includes('json')) return
          const documented = operation.responses[String(answer.status)] ?? operation.responses.default!
          const schema = documented.content?.['application/json']?.schema
          const resolved = schema?.$ref === undefined ? schema : (errorSchema as JsonObject)
          if (resolved) expect(schemas.validator(resolved).check(answer.json)).toMatchObject({ ok: true })
        }),
        { numRuns: 120 },
      )
    }
  })

  it('is the whole of the face, each checking what it takes', () => {
    const documented = Object.entries(served.face.document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = served.face.routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(routes.filter((route) => !documented.includes(route))).toEqual(['GET /openapi.json'])
    expect(documented).toEqual(expect.arrayContaining(['POST /api/agent-retrieval/in/v1/kn/get_action_info']))
    for (const { method, query, body } of served.face.operations) {
      expect(query === undefined || query.additionalProperties === false).toBe(true)
      if (method === 'POST') expect(body).toBeDefined()
    }
  })
})

const errorSchema = {
  type: 'object',
  properties: { error: { type: 'object', required: ['code', 'message', 'requestId'] } },
  required: ['error'],
}

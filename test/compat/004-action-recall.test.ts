import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecallFaceOptions } from '../../src/faces/recall/face.js'
import {
  createOntologyQuery,
  createOperatorIntegration,
  createServiceClient,
} from '../../src/faces/recall/remote/services.js'
import type { JsonObject } from '../../src/model/json.js'
import { pruneAs004 } from '../../src/schema/inline-compat.js'
import { toFunctionParameters } from '../../src/schema/projections/function-parameters.js'
import type { Logger } from '../../src/telemetry/logger.js'
import { type ServedRecall, serveRecall } from '../helpers/serve-recall.js'
import { recordedLog } from './fixtures/recorded-log.js'

const convert = (schema: JsonObject): any => toFunctionParameters(schema, { compat: true }).schema

describe('document 004: the converter', () => {
  it('004 compat 1: keeps the type of a simple schema', () => {
    expect(convert({ type: 'object', properties: { name: { type: 'string' } } }).type).toBe('object')
  })

  it('004 compat 2: inlines $defs and removes them', () => {
    const Person = { type: 'object', properties: { name: { type: 'string' } } }
    const result = convert({ $defs: { Person }, properties: { owner: { $ref: '#/$defs/Person' } } })
    expect(result).toEqual({ type: 'object', properties: { owner: Person } })
  })

  it('004 compat 3, 004-13: prunes a cycle', () => {
    const Node = { type: 'object', properties: { value: { type: 'string' }, child: { $ref: '#/$defs/Node' } } }
    expect(convert({ $defs: { Node }, properties: { root: { $ref: '#/$defs/Node' } } })).toEqual({
      type: 'object',
      properties: {
        root: { type: 'object', properties: { value: { type: 'string' }, child: { type: 'object' } } },
      },
    })
  })

  it('004 compat 4: describes a body that says nothing of itself', () => {
    const path = { type: 'object', description: 'URL 路径参数' }
    const Request = { type: 'object', properties: { status: { type: 'string' } } }
    const byRef = convert({
      $defs: { Request },
      type: 'object',
      properties: { body: { $ref: '#/$defs/Request' }, path },
    })
    expect(byRef.properties.body.description).toBe('Request Body参数')
    expect(byRef.properties.path).toEqual(path)
    const own = convert({ type: 'object', properties: { body: { type: 'object', description: 'mine' } } })
    expect(own.properties.body.description).toBe('mine')
    expect(convert({ type: 'object', properties: { query: {} } }).properties.body).toBeUndefined()
  })

  it('004 compat 5, 004-10: prunes below the third reference', () => {
    const link = (to: string) => ({ type: 'object', properties: { [to.toLowerCase()]: { $ref: `#/$defs/${to}` } } })
    const $defs = {
      A: link('B'),
      B: link('C'),
      C: link('D'),
      D: { type: 'object', description: 'd', properties: { x: {} } },
    }
    const result = convert({ $defs, type: 'object', properties: { a: { $ref: '#/$defs/A' } } })
    expect(result.properties.a.properties.b.properties.c.properties.d).toEqual({ type: 'object', description: 'd' })
  })

  it('004 compat 6: expands siblings, keeps what it cannot resolve', () => {
    const $defs = { P: { type: 'object', properties: { n: { type: 'string' } } } }
    const properties = {
      one: { $ref: '#/$defs/P' },
      two: { $ref: '#/$defs/P' },
      lost: { $ref: '#/$defs/Nope' },
      old: { $ref: '#/definitions/P' },
    }
    const result = convert({ $defs, type: 'object', properties })
    expect([result.properties.one, result.properties.two]).toEqual([$defs.P, $defs.P])
    expect([result.properties.lost, result.properties.old]).toEqual([properties.lost, properties.old])
  })

  it('004 compat 7: prunes to type, description and the items of lists', () => {
    expect(pruneAs004({ type: 'object', description: 'x', properties: {} })).toEqual({
      type: 'object',
      description: 'x',
    })
    expect(pruneAs004({ type: 'array', items: { type: 'object', properties: {} } })).toEqual({
      type: 'array',
      items: { type: 'object' },
    })
    expect(pruneAs004({})).toEqual({ type: 'object' })
  })
})

/** The services behind the recall, as a script decides. */
const startServices = async (handler: RequestListener) => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}

describe('document 004: recall and proxy over real services', () => {
  const seen: { path: string; headers: Record<string, unknown>; body: any }[] = []
  let actions: unknown
  let tools: unknown
  let called: { status: number; body: unknown }
  let services: Awaited<ReturnType<typeof startServices>>
  let served: ServedRecall

  beforeAll(async () => {
    services = await startServices((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part) => parts.push(part))
      request.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const path = request.url!
        seen.push({ path, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) })
        const reply = path.includes('/ontology-query/')
          ? { status: actions === 'broken' ? 500 : 200, body: actions }
          : path.endsWith('/tool/call')
            ? called
            : path.includes('/tool-box/')
              ? { status: 200, body: { name: 'box', description: 'Box', metadata: { api_spec: {} } } }
              : { status: tools === 'broken' ? 404 : 200, body: tools }
        response.writeHead(reply.status, { 'content-type': 'application/json' })
        response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
      })
    })
    const client = createServiceClient({ url: services.url, name: 'AOI' })
    served = await serveRecall(() => ({
      knowledge: createOntologyQuery(client),
      operators: createOperatorIntegration(client),
    }))
  })
  afterAll(async () => {
    await served.close()
    await services.close()
  })

  const mcp = { type: 'mcp', mcp_id: 'mcp-001', tool_name: 'query_data' }
  const fixed = { disease_id: 'd1', include_drugs: true, lang: 'zh' }
  const ids = { kn_id: 'kn', at_id: 'at' }
  const listed = {
    tools: [{ name: 'query_data', description: 'Queries', inputSchema: { type: 'object', properties: {} } }],
  }

  it('004 compat 9: 004-03 004-04 004-05 004-06 004-07 answers a recalled MCP tool, byte for byte', async () => {
    actions = { action_source: mcp, actions: [{ parameters: fixed }, { parameters: { other: 1 } }] }
    tools = listed
    const { status, text } = await served.recall(ids, '', { 'x-account-id': 'u1', 'x-account-type': 'user' })
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({
        headers: { 'x-account-id': 'u1', 'x-account-type': 'user' },
        _dynamic_tools: [
          {
            name: 'query_data',
            description: 'Queries',
            parameters: { type: 'object', properties: {} },
            api_url: `${served.url}/api/agent-retrieval/in/v1/mcp/proxy/mcp-001/tools/query_data/call`,
            original_schema: { type: 'object', properties: {} },
            fixed_params: fixed,
            api_call_strategy: 'kn_action_recall',
          },
        ],
      }),
    )
    const asked = seen.find(({ path }) => path.includes('ontology-query'))!
    expect(asked.path).toBe('/api/ontology-query/in/v1/knowledge-networks/kn/action-types/at')
    expect(asked.headers).toMatchObject({
      'x-http-method-override': 'GET',
      'x-account-id': 'u1',
      'x-business-domain': 'bd_public',
    })
  })

  it('004 compat 9: 004-01 004-02 answers a tool of a box, grouped (type=tool is not affected)', async () => {
    actions = {
      action_source: { type: 'tool', box_id: 'b', tool_id: 't' },
      actions: [{ parameters: { 'x-a': 1, b: 2 } }],
    }
    const [tool] = (await served.recall(ids)).json._dynamic_tools
    expect(tool).toMatchObject({
      api_url: `${services.url}/api/agent-operator-integration/internal-v1/tool-box/b/proxy/t`,
      fixed_params: { header: { 'x-a': 1 }, path: {}, query: {}, body: { b: 2 } },
      parameters: { properties: { body: { type: 'object' } } },
    })
  })

  it.each([
    ['no action source', { action_source: null, actions: [{ parameters: {} }] }],
    ['no actions', { action_source: mcp, actions: [] }],
  ])('test 9: %s is an empty answer', async (_name, given) => {
    actions = given
    const { status, json } = await served.recall(ids)
    expect([status, json._dynamic_tools]).toEqual([200, []])
  })

  it('004 compat 9: 004-14 an unsupported type is 400, in both languages', async () => {
    actions = { action_source: { type: 'unsupported_type' }, actions: [{ parameters: {} }] }
    const zh = await served.recall(ids, '', { 'x-language': 'zh-CN' })
    expect(zh.json).toEqual({
      code: 'Public.BadRequest',
      description: '参数错误',
      solution: '无',
      link: '无',
      details: '不支持的行动源类型: unsupported_type，仅支持 tool 和 mcp',
    })
    expect((await served.recall(ids)).json).toMatchObject({ description: 'Invalid parameter', link: 'None' })
  })

  it('004 compat 9, 004-17: errors upstream are 502, what cannot be read is 500', async () => {
    actions = 'broken'
    expect((await served.recall(ids)).status).toBe(502)
    actions = 'not JSON'
    expect((await served.recall(ids)).status).toBe(500)
    actions = { action_source: mcp, actions: [{ parameters: {} }] }
    tools = 'broken'
    const refused = await served.recall(ids)
    expect([refused.status, refused.json.code]).toEqual([502, 'Public.InternalServerError'])
  })

  it('004 compat 11: a name that is not in the list is 404', async () => {
    actions = { action_source: { ...mcp, tool_name: 'nope' }, actions: [{ parameters: {} }] }
    tools = listed
    const { status, json } = await served.recall(ids, '', { 'x-language': 'zh-CN' })
    expect([status, json.code, json.details]).toEqual([404, 'Public.NotFound', '未找到指定工具: nope'])
  })

  it('004-17: a schema that cannot be converted is 500 with the reason', async () => {
    actions = { action_source: mcp, actions: [{ parameters: {} }] }
    tools = { tools: [{ name: 'query_data', inputSchema: { $ref: '#/$defs/Nope' } }] }
    const { status, json } = await served.recall(ids)
    expect([status, json.details]).toEqual([500, 'Schema conversion failed: MCP schema definition not found: Nope'])
    tools = { tools: [{ name: 'query_data', inputSchema: 'oops' }] }
    expect((await served.recall(ids)).status).toBe(500)
  })

  describe('B7 conversion', () => {
    const dangling = {
      type: 'object',
      $defs: {
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
        B: { type: 'object', properties: { c: { $ref: '#/$defs/C' } } },
        C: { type: 'object', properties: { d: { $ref: '#/$defs/D' } } },
        D: { type: 'object', properties: { end: { type: 'string' } } },
      },
      properties: {
        optional: { anyOf: [{ $ref: '#/$defs/D' }, { type: 'null' }] },
        map: { type: 'object', additionalProperties: { $ref: '#/$defs/D' } },
        pair: { type: 'array', prefixItems: [{ $ref: '#/$defs/D' }] },
        chain: { $ref: '#/$defs/A' },
      },
    }
    const recallWith = async (options: Partial<RecallFaceOptions>) => {
      const client = createServiceClient({ url: services.url, name: 'AOI' })
      const own = await serveRecall(() => ({
        knowledge: createOntologyQuery(client),
        operators: createOperatorIntegration(client),
        ...options,
      }))
      const answer = await own.recall(ids)
      await own.close()
      return answer
    }
    const parametersOf = ({ json }: Awaited<ReturnType<typeof recallWith>>) => json._dynamic_tools[0].parameters

    it('leaves no reference behind by default', async () => {
      actions = { action_source: mcp, actions: [{ parameters: {} }] }
      tools = { tools: [{ name: 'query_data', inputSchema: dangling }] }
      const parameters = parametersOf(await served.recall(ids))
      expect(JSON.stringify(parameters)).not.toMatch(/\$ref|\$defs/)
      const whole = { type: 'object', properties: { end: { type: 'string' } } }
      expect(parameters.properties).toMatchObject({
        optional: { anyOf: [whole, { type: 'null' }] },
        map: { additionalProperties: whole },
        pair: { prefixItems: [whole] },
      })
    })

    it('is the original’s to the letter where that is asked for', async () => {
      tools = { tools: [{ name: 'query_data', inputSchema: dangling }] }
      const answer = await recallWith({ conversion: { schemas: 'original', depth: 3 } })
      expect(JSON.stringify(parametersOf(answer))).toBe(JSON.stringify(convert(dangling)))
      expect(parametersOf(answer).properties.optional).toEqual(dangling.properties.optional)
    })

    it.each([
      [1, { b: { type: 'object' } }],
      [2, { b: { type: 'object', properties: { c: { type: 'object' } } } }],
    ])('goes %i references deep where the file says so', async (depth, expected) => {
      tools = { tools: [{ name: 'query_data', inputSchema: dangling }] }
      const answer = await recallWith({ conversion: { schemas: 'complete', depth } })
      expect(parametersOf(answer).properties.chain.properties).toEqual(expected)
    })

    it.each([
      ['a root that refers to nothing', { $ref: '#/$defs/Nope' }],
      ['what is no schema', 'oops'],
    ])('004-18 offers a tool for %s where a fallback is wanted, and logs why', async (_what, inputSchema) => {
      const log = recordedLog()
      tools = { tools: [{ name: 'query_data', description: 'Queries', inputSchema }] }
      const { status, json } = await recallWith({ onUnreadable: 'open', logger: log })
      expect(status).toBe(200)
      expect(json._dynamic_tools).toMatchObject([
        { name: 'query_data', parameters: { type: 'object', properties: {}, additionalProperties: true } },
      ])
      expect(log.entries).toMatchObject([{ meta: { mcp_id: 'mcp-001', tool_name: 'query_data' } }])
    })
  })

  it('refuses other formats with 400 and knows TOON', async () => {
    tools = listed
    const refused = await served.recall(ids, '?response_format=xml')
    expect([refused.status, refused.json.code]).toEqual([400, 'agentRetrieval.BadRequest.ValidationEnum'])
    const { text, headers } = await served.recall(ids, '?response_format=toon')
    expect(headers.get('content-type')).toMatch(/^text\/toon/)
    expect(text).toMatch(/^headers:\n {2}x-account-id: |^headers:\n {2}"x-account-id": /)
  })

  it.each([
    [{}, 'agentRetrieval.BadRequest.ValidationRequired'],
    [{ kn_id: 'x' }, 'agentRetrieval.BadRequest.ValidationRequired'],
    [{ kn_id: 1, at_id: 'x' }, 'agentRetrieval.BadRequest.ValidationFormat'],
    ['[]', 'Public.BadRequest'],
    ['{', 'Public.BadRequest'],
  ])('refuses the body %j with 400 %s', async (body, code) => {
    const { status, json } = await served.recall(body)
    expect([status, json.code]).toEqual([400, code])
  })

  it('004 compat 11, 004-08: the proxy wraps flat arguments and passes the answer through', async () => {
    called = { status: 200, body: { content: [{ type: 'text', text: 'ok' }], isError: false, extra: 1 } }
    seen.length = 0
    const { status, json } = await served.proxy('mcp-001', 'query_data', { disease_id: 'd1' })
    expect([status, json]).toEqual([200, called.body])
    expect(seen[0]).toMatchObject({
      path: '/api/agent-operator-integration/internal-v1/mcp/proxy/mcp-001/tool/call',
      body: { tool_name: 'query_data', parameters: { disease_id: 'd1' } },
    })
    await served.proxy('mcp-001', 'query_data')
    expect(seen.at(-1)?.body.parameters).toEqual({})
  })

  it('004-17: the proxy refuses what is not JSON', async () => {
    const { status, json } = await served.proxy('mcp-001', 'query_data', '{oops')
    expect([status, json.code]).toEqual([400, 'Public.BadRequest'])
    expect(json.details).toMatch(/^invalid request body/)
  })

  it('T25: ids stay one encoded segment', async () => {
    seen.length = 0
    await served.proxy('../../admin', 'a?x=1#b', {})
    expect(seen[0]?.path).toBe('/api/agent-operator-integration/internal-v1/mcp/proxy/..%2F..%2Fadmin/tool/call')
    expect(seen[0]?.body.tool_name).toBe('a?x=1#b')
  })
})

describe('document 004: services that are not there', () => {
  it('004 compat 11: a refused connection is 502, for the detail and for the call', async () => {
    const gone = await startServices(() => {})
    await gone.close()
    const client = createServiceClient({ url: gone.url, name: 'AOI' })
    const operators = createOperatorIntegration(client)
    const served = await serveRecall(() => ({
      knowledge: {
        queryActions: async () => ({
          action_source: { type: 'mcp', mcp_id: 'm', tool_name: 't' },
          actions: [{ parameters: {} }],
        }),
      },
      operators,
    }))
    expect((await served.recall({ kn_id: 'k', at_id: 'a' })).status).toBe(502)
    expect((await served.proxy('m', 't', {})).status).toBe(502)
    await served.close()
  })

  it('004-21, D18: the log of a service that is down names what was asked for', async () => {
    const gone = await startServices(() => {})
    await gone.close()
    const client = createServiceClient({ url: gone.url, name: 'AOI' })
    const logged: unknown[] = []
    const logger: Logger = {
      log: (_level, message, meta) => void logged.push({ message, ...meta }),
      child: () => logger,
    }
    const source = { type: 'mcp', mcp_id: 'github', tool_name: 'search' }
    const served = await serveRecall(() => ({
      knowledge: { queryActions: async () => ({ action_source: source, actions: [{ parameters: {} }] }) },
      operators: createOperatorIntegration(client),
      logger,
    }))
    await served.recall({ kn_id: 'k', at_id: 'a' })
    await served.proxy('github', 'search', {})
    const box = { type: 'tool', box_id: 'b', tool_id: 't' }
    const boxed = await serveRecall(() => ({
      knowledge: { queryActions: async () => ({ action_source: box, actions: [{ parameters: {} }] }) },
      operators: createOperatorIntegration(client),
      logger,
    }))
    await boxed.recall({ kn_id: 'k', at_id: 'a' })
    const down = await serveRecall(() => ({
      knowledge: createOntologyQuery(client),
      operators: createOperatorIntegration(client),
      logger,
    }))
    await down.recall({ kn_id: 'k', at_id: 'a' })
    expect(logged).toMatchObject([
      { kn_id: 'k', at_id: 'a', mcp_id: 'github', tool_name: 'search', requestId: expect.any(String) },
      { mcp_id: 'github', tool_name: 'search' },
      { kn_id: 'k', at_id: 'a', box_id: 'b', tool_id: 't' },
      { kn_id: 'k', at_id: 'a' },
    ])
    await Promise.all([served, boxed, down].map((each) => each.close()))
    await client.close()
  })

  it('004-18: a service that never answers is 502, or 504 if asked, and never waits for ever', async () => {
    const silent = await startServices(() => {})
    const client = createServiceClient({ url: silent.url, name: 'AOI', timeoutMs: 50 })
    const operators = createOperatorIntegration(client)
    const knowledge = createOntologyQuery(client)
    const plain = await serveRecall(() => ({ knowledge, operators }))
    const asked = await serveRecall(() => ({ knowledge, operators, gatewayTimeout: true }))
    expect((await plain.proxy('m', 't', {})).status).toBe(502)
    expect((await asked.proxy('m', 't', {})).status).toBe(504)
    await plain.close()
    await asked.close()
    await client.close()
    await silent.close()
  })

  it('an answer without an end is cut at its bound', async () => {
    const endless = await startServices((_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const client = createServiceClient({ url: endless.url, name: 'AOI', maxBytes: 100_000 })
    const served = await serveRecall(() => ({
      knowledge: createOntologyQuery(client),
      operators: createOperatorIntegration(client),
    }))
    expect((await served.proxy('m', 't', {})).status).toBe(502)
    await served.close()
    await client.close()
    await endless.close()
  })
})

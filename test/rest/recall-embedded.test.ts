import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeclaredAction } from '../../src/faces/recall/embedded/knowledge.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type RunningFixture, startFixture } from '../helpers/fixture-servers.js'
import { type ServedRecall, serveEmbedded } from '../helpers/serve-recall.js'
import { ask } from '../helpers/serve-rest.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const action = (at_id: string, tool_name: string, parameters = {}): DeclaredAction => ({
  kn_id: 'kn',
  at_id,
  action_source: { type: 'mcp', mcp_id: 'fixture', tool_name },
  actions: [{ parameters }],
})

describe('recall over our own board, with a real MCP server behind (004-16, 004-17)', () => {
  let server: RunningFixture
  let gateway: Gateway
  let served: ServedRecall
  const clock = new VirtualClock()

  beforeAll(async () => {
    server = await startFixture('http-modern')
    gateway = createGateway({ clock })
    await gateway.addSource(
      'fixture',
      createHttpSource({
        name: 'fixture',
        url: server.url,
        clientInfo: { name: 'pegboard', version: '0' },
        clock: systemClock,
        logger: silentLogger,
        healthCheck: false,
      }),
    )
    const box = { ...action('box', 'add'), action_source: { type: 'tool', box_id: 'fixture', tool_id: 'add' } }
    served = await serveEmbedded(gateway, [action('sum', 'add', { a: 40 }), action('gone', 'nope'), box])
  })
  afterAll(async () => {
    await served.close()
    await gateway.close()
    await server.stop()
  })

  it('recalls a tool whose api_url answers', async () => {
    const [tool] = (await served.recall({ kn_id: 'kn', at_id: 'sum' })).json._dynamic_tools
    expect(tool).toMatchObject({ name: 'add', fixed_params: { a: 40 }, api_call_strategy: 'kn_action_recall' })
    const answer = await ask(tool.api_url, 'POST', { ...tool.fixed_params, b: 2 })
    expect(answer.json.content[0].text).toBe('42')
  })

  it('recalls a tool of a box whose api_url takes grouped arguments', async () => {
    const [tool] = (await served.recall({ kn_id: 'kn', at_id: 'box' })).json._dynamic_tools
    expect(tool.parameters.properties.body.required).toEqual(['a', 'b'])
    const answer = await ask(tool.api_url, 'POST', { body: { a: 1, b: 2 }, header: {}, path: {}, query: {} })
    expect(answer.json.content[0].text).toBe('3')
  })

  it('knows nothing of actions nobody declared', async () => {
    expect((await served.recall({ kn_id: 'kn', at_id: 'other' })).json._dynamic_tools).toEqual([])
  })

  it('answers 404 for a tool that is not there, in both languages', async () => {
    expect((await served.recall({ kn_id: 'kn', at_id: 'gone' })).status).toBe(404)
    const zh = await served.proxy('fixture', 'nope', {}, { 'x-language': 'zh-CN' })
    expect([zh.status, zh.json.details]).toEqual([404, '未找到指定工具: nope'])
  })

  it('answers 400 for wrong arguments and 200 for a tool that says no', async () => {
    expect((await served.proxy('fixture', 'add', { a: 'x' })).status).toBe(400)
    const refused = await served.proxy('fixture', 'fail', {})
    expect([refused.status, refused.json.isError]).toEqual([200, true])
  })

  it('answers 502 when time runs out', async () => {
    const hanging = served.proxy('fixture', 'hang', { key: 'late' })
    const isRunning = async () =>
      (await served.proxy('fixture', 'hung', { key: 'late' })).json.content[0].text === 'running'
    while (!(await isRunning()));
    await clock.advance(30_000)
    expect((await hanging).status).toBe(502)
  })

  it('answers 502 when the server is gone, and others still work', async () => {
    gateway.register({ definition: { name: 'here', inputSchema: { type: 'object' } }, handler: () => 'still' })
    await server.stop()
    expect((await served.proxy('fixture', 'add', { a: 1, b: 1 })).status).toBe(502)
    expect((await served.proxy('local', 'here', {})).json.content[0].text).toBe('still')
  })
})

describe('the newer, asynchronous form', () => {
  it('submits the action and keeps its outcome for its owner', async () => {
    const gateway = createGateway()
    gateway.register({ definition: { name: 'act', inputSchema: { type: 'object' } }, handler: (args) => args })
    const declared = {
      ...action('at', 'act', { x: 1 }),
      action_source: { type: 'mcp', mcp_id: 'local', tool_name: 'act' },
    }
    const served = await serveEmbedded(gateway, [declared], { asynchronous: true })
    const [tool] = (await served.recall({ kn_id: 'kn', at_id: 'at', _instance_identity: { id: 'o' } })).json
      ._dynamic_tools
    expect(tool).toMatchObject({
      api_url: `${served.url}/api/ontology-query/in/v1/knowledge-networks/kn/action-types/at/execute`,
      parameters: { properties: { dynamic_params: { type: 'object' }, _instance_identities: { type: 'array' } } },
      fixed_params: { dynamic_params: { x: 1 }, _instance_identities: [{ id: 'o' }] },
    })
    const begun = await ask(tool.api_url, 'POST', { dynamic_params: { y: 2 } })
    expect([begun.status, begun.json.status]).toEqual([202, 'pending'])
    const where = `${served.url}/api/ontology-query/in/v1/knowledge-networks/kn/action-executions/${begun.json.execution_id}`
    const { json } = await ask(where, 'GET', undefined)
    expect(json).toMatchObject({ status: 'completed', result: { structuredContent: { x: 1, y: 2 } } })
    expect((await ask(`${where}x`, 'GET', undefined)).status).toBe(404)
    await served.close()
    await gateway.close()
  })
})

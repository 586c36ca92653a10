// What plain HTTP costs beside MCP, and how long recall and schema conversion take.
// Run: npm run build && node bench/rest.mjs   (PEGBOARD_EVAL=<folder of the public tool sets> converts those as well)
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Pool } from 'undici'
import { median, table } from './measure.mjs'

const dist = process.env.PEGBOARD_DIST ?? fileURLToPath(new URL('../dist', import.meta.url))
const room = (path) => import(pathToFileURL(join(dist, path)).href)
const version = '2026-07-28'
const concurrency = 16

/** One process that serves both faces on one port, so that the two are compared and not two machines' moods. */
const serveBoth = async () => {
  const [
    { createGateway },
    { createRestFace },
    { createMcpFace },
    { createMcpEndpoint },
    { createHttpHost },
    auth,
    profile,
    clock,
    logger,
    define,
    recall,
    knowledge,
    operators,
  ] = await Promise.all(
    [
      'gateway.js',
      'faces/rest/face.js',
      'faces/mcp/face.js',
      'faces/mcp/http/endpoint.js',
      'http/host.js',
      'http/auth-loopback.js',
      'faces/mcp/profile.js',
      'model/clock.js',
      'telemetry/logger.js',
      'sources/functions/define-tool.js',
      'faces/recall/face.js',
      'faces/recall/embedded/knowledge.js',
      'faces/recall/embedded/operators.js',
    ].map(room),
  )
  const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  const gateway = createGateway({
    tools: [
      define.defineTool({ name: 'echo', input, handler: async ({ text }) => ({ content: [{ type: 'text', text }] }) }),
      define.defineTool({ name: 'nested', input: nested, handler: () => 'ok' }),
    ],
  })
  const face = createMcpFace({ gateway, serverInfo: { name: 'bench', version: '0' }, clock: clock.systemClock })
  const endpoint = createMcpEndpoint({
    face,
    findProfile: () => profile.plainProfile,
    clock: clock.systemClock,
    logger: logger.silentLogger,
  })
  const host = createHttpHost({ authenticate: auth.createAuthenticator({ openLoopback: true }) })
  const action = {
    kn_id: 'k',
    at_id: 'a',
    action_source: { type: 'mcp', mcp_id: 'local', tool_name: 'nested' },
    actions: [{ parameters: {} }],
  }
  host.addRoutes([
    ...endpoint.routes,
    ...createRestFace({ gateway }).routes,
    ...recall.createRecallRoutes({
      knowledge: knowledge.createDeclaredActions(
        () => [action],
        () => '',
      ),
      operators: operators.createBoardOperators(gateway, () => ''),
      apiUrl: () => 'http://127.0.0.1',
    }),
  ])
  const { url } = await host.listen({ port: 0 })
  process.on('message', () => process.send({ cpu: process.cpuUsage() }))
  process.send({ url })
}

/** In the manner of a large Pydantic model: definitions that refer to each other, optional ones, lists of them. */
const nested = {
  type: 'object',
  $defs: Object.fromEntries(
    Array.from({ length: 12 }, (_, level) => [
      `Level${level}`,
      {
        type: 'object',
        description: `Level ${level}`,
        properties: {
          name: { type: 'string' },
          next: { $ref: `#/$defs/Level${(level + 1) % 12}` },
          list: { type: 'array', items: { $ref: `#/$defs/Level${(level + 5) % 12}` } },
          maybe: { anyOf: [{ $ref: `#/$defs/Level${(level + 3) % 12}` }, { type: 'null' }] },
        },
      },
    ]),
  ),
  properties: { root: { $ref: '#/$defs/Level0' }, other: { $ref: '#/$defs/Level6' } },
}

const mcpBody = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'echo',
    arguments: { text: 'hello' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const json = { 'content-type': 'application/json' }
const requests = {
  mcp: {
    path: '/mcp',
    headers: {
      ...json,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    },
    body: mcpBody,
  },
  rest: { path: '/api/v1/tools/echo/call', headers: json, body: '{"text":"hello"}' },
  recall: { path: '/api/agent-retrieval/in/v1/kn/get_action_info', headers: json, body: '{"kn_id":"k","at_id":"a"}' },
}

export const benchRest = async ({ quick = false } = {}) => {
  const child = fork(fileURLToPath(import.meta.url), ['--serve'])
  const [{ url }] = await once(child, 'message')
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 })
  try {
    const costs = await compare(pool, child, quick ? 5 : 15, quick ? 500 : 2000)
    const recalled = await times(pool, requests.recall, quick ? 500 : 3000)
    const conversions = await convertAll()
    table(
      'One call of a tool that echoes, c=16, CPU of the server',
      ['face', 'µs per call'],
      ['mcp', 'rest'].map((name) => [name, costs[name].toFixed(1)]),
    )
    table(
      'Times, ms',
      ['what', 'count', 'p50', 'p99', 'slowest'],
      [['recall over HTTP, one after the other', recalled], ...Object.entries(conversions)].map(([name, list]) => [
        name,
        list.length,
        ...[0.5, 0.99, 1].map((share) => quantile(list, share).toFixed(3)),
      ]),
    )
    return [
      { claim: "a REST call's CPU is at most the MCP face's", value: costs.rest / costs.mcp, limit: 1, unit: '×' },
      { claim: 'recall, p99', value: quantile(recalled, 0.99), limit: 20, unit: 'ms' },
      ...Object.entries(conversions).map(([name, list]) => ({
        claim: `${name}, p99`,
        value: quantile(list, 0.99),
        limit: 2,
        unit: 'ms',
      })),
    ]
  } finally {
    await pool.close()
    child.kill()
  }
}

/** CPU of the server per call, the two faces in interleaved rounds. */
const compare = async (pool, child, rounds, count) => {
  const cpuOf = async () => {
    child.send('cpu')
    const [{ cpu }] = await once(child, 'message')
    return cpu.user + cpu.system
  }
  const samples = { mcp: [], rest: [] }
  for (const name of Object.keys(samples)) await load(pool, requests[name], count)
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(samples)) {
      const before = await cpuOf()
      await load(pool, requests[name], count)
      samples[name].push(((await cpuOf()) - before) / count)
    }
  return { mcp: median(samples.mcp), rest: median(samples.rest) }
}

const load = async (pool, request, count) => {
  let left = count
  const work = async () => {
    while (left-- > 0) await ask(pool, request)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

const ask = async (pool, request) => {
  const { statusCode, body } = await pool.request({ method: 'POST', ...request })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 300)}`)
}

const times = async (pool, request, count) => {
  const list = []
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now()
    await ask(pool, request)
    list.push(performance.now() - startedAt)
  }
  return list
}

/** Every schema in every dialect, each timed alone: the best of three, since a neighbour's time slice is not ours to tell. */
const convertAll = async () => {
  const [{ toFunctionParameters }, { toProviderTools }] = await Promise.all(
    ['schema/projections/function-parameters.js', 'catalog/provider-tools.js'].map(room),
  )
  const tools = corpus()
  const toTool = (definition) => ({
    id: definition.name,
    namespace: '',
    name: definition.name,
    source: 's',
    tags: [],
    definition,
  })
  const jobs = {
    'conversion as document 004': ({ inputSchema }) => toFunctionParameters(inputSchema, { compat: true }),
  }
  for (const format of ['openai', 'openai-strict', 'anthropic', 'gemini'])
    jobs[`conversion to ${format}`] = (definition) => toProviderTools([toTool(definition)], format)
  return Object.fromEntries(
    Object.entries(jobs).map(([name, run]) => {
      for (const tool of tools.slice(0, 300)) run(tool)
      const once = (tool) => {
        const startedAt = performance.now()
        run(tool)
        return performance.now() - startedAt
      }
      return [name, tools.map((tool) => Math.min(once(tool), once(tool), once(tool)))]
    }),
  )
}

const corpus = () => {
  const own = Array.from({ length: 200 }, (_, index) => ({
    name: `own_${index}`,
    description: '',
    inputSchema:
      index % 10 === 0
        ? { ...nested, title: `t${index}` }
        : {
            type: 'object',
            properties: { a: { type: 'string' }, [`b${index}`]: { type: 'array', items: { type: 'number' } } },
          },
  }))
  const folder = process.env.PEGBOARD_EVAL
  if (folder === undefined) return own
  const files = readdirSync(folder).map((set) => join(folder, set, 'tools.jsonl'))
  const read = (file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const listed = files.filter(existsSync).flatMap(read)
  return [
    ...own,
    ...listed.map(({ name, description, input_schema }) => ({
      name,
      description,
      inputSchema: input_schema ?? { type: 'object' },
    })),
  ]
}

const quantile = (list, share) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))]

if (process.argv.includes('--serve')) await serveBoth()
else if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { showClaims } = await import('./run.mjs')
  process.exitCode = showClaims(await benchRest({ quick: process.argv.includes('--quick') }))
}

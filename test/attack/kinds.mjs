// What a narrow profile hides, asked for by every kind of request, in every spelling, in both eras and by every face.
import { canary } from './canary.mjs'
import { ask, bearer, inParallel, json, request } from './wire.mjs'

const toolNames = [
  'up.secret_tool',
  'up__secret_tool',
  'UP.SECRET_TOOL',
  'up.secret_tool ',
  'up/secret_tool',
  'secret_tool',
  'up.Secret_Tool',
  'up..secret_tool',
  'up.secret\u200b_tool',
  'up%2esecret_tool',
  'pegboard.up.secret_tool',
  'up:secret_tool',
]
const addresses = [
  'file:///secret/b',
  'FILE:///secret/b',
  'file:///pub/../secret/b',
  'file:///pub/%2e%2e/secret/b',
  'file:///%73ecret/b',
  'file:////secret/b',
  'file://localhost/secret/b',
  'file:///secret/./b',
  'file:///secret//b',
  'pegboard://up/file:///secret/b',
  'pegboard://UP/file:///secret/b',
  'pegboard://up/FILE:///pub/..%2fsecret/b',
  'ui://up+secret',
  'file:///pub\\..\\secret\\b',
  'file:/secret/b',
  ' file:///secret/b',
  'file:///secret/b#x',
  'file:///secret/b?x',
  'file:///pub/a/../../secret/b',
]
const prompts = ['up.secret_prompt', 'up__secret_prompt', 'secret_prompt', 'UP.secret_prompt', 'up/secret_prompt']

const requests = function* () {
  for (const name of toolNames) {
    yield ['tools/call', { name, arguments: {} }]
    yield ['tools/call', { name: 'call_tool', arguments: { tool_name: name, arguments: {} } }]
    yield ['tools/call', { name: 'get_tool_definition', arguments: { tool_name: name } }]
    yield ['tools/call', { name: 'search_tools', arguments: { query: name } }]
    yield ['completion/complete', { ref: { type: 'ref/tool', name }, argument: { name: 'a', value: '' } }]
  }
  for (const uri of addresses) {
    yield ['resources/read', { uri }]
    yield ['resources/subscribe', { uri }]
    yield ['completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'name', value: '' } }]
    yield ['subscriptions/listen', { resources: [uri] }]
  }
  for (const name of prompts) {
    yield ['prompts/get', { name }]
    yield ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: '' } }]
  }
  for (const method of [
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'initialize',
    'server/discover',
    'tasks/list',
    'logging/setLevel',
  ])
    yield [
      method,
      method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
        : {},
    ]
}

const restPaths = function* () {
  for (const name of toolNames) {
    const written = encodeURIComponent(name)
    yield ['GET', `/api/v1/tools/${written}`]
    yield ['POST', `/api/v1/tools/${written}/call`, { arguments: {} }]
    yield ['POST', '/api/v1/calls', { calls: [{ tool: name, arguments: {} }] }]
    yield [
      'POST',
      '/api/v1/tool-calls',
      { tool_calls: [{ id: '1', type: 'function', function: { name, arguments: '{}' } }] },
    ]
  }
  for (const query of ['secret', 'canary', 'hidden things'])
    for (const path of ['/api/v1/tools?q=', '/api/v1/search?q=', '/api/v1/tools/search?query='])
      yield ['GET', `${path}${query}`]
  for (const path of [
    '/api/v1/tools',
    '/api/v1/sources',
    '/api/v1/calls',
    '/openapi.json',
    '/metrics',
    '/readyz',
    '/healthz',
  ])
    yield ['GET', path]
}

export const attackKinds = async ({ port }, keys) => {
  const rows = []
  const note = (what, { status, text }) => rows.push({ what, status, in: text.includes(canary) })
  const key = keys.narrow
  const overMcp = ['/mcp', '/mcp/narrow', '/mcp/default'].flatMap((path) =>
    ['legacy', 'modern'].flatMap((era) =>
      [...requests()].map(([method, params]) => async () => {
        const answer = await ask(port, era, method, params, { key, path })
        note(`${era} ${path} ${method} ${JSON.stringify(params).slice(0, 80)}`, answer)
      }),
    ),
  )
  const headers = { ...json, ...bearer(key) }
  const overRest = [...restPaths()].map(([method, path, body]) => async () => {
    note(`${method} ${path}`, await request(port, { method, path, headers, body: body ? JSON.stringify(body) : '' }))
  })
  await inParallel([...overMcp, ...overRest])
  return rows
}

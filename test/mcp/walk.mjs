// Walks one warm request of each kind through the compiled modules: `node walk.mjs DIST`. A real socket in front, a real
// child behind, and V8's precise coverage in between. Prints one line of JSON: by walk, what ran.

import { request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [, program, dist] = process.argv
const legacyVersion = '2025-11-25'
const modernVersion = '2026-07-28'
const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const uri = 'note://one'

/** The child: a legacy server by hand with one tool and one resource. */
const serveChild = () => {
  const results = {
    initialize: () => ({
      protocolVersion: legacyVersion,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'walked', version: '1' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'echo', description: 'Says it again', inputSchema }] }),
    'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text }] }),
    'resources/list': () => ({ resources: [{ uri, name: 'one' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': () => ({ contents: [{ uri, text: 'read' }] }),
  }
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method, params = {} } = JSON.parse(line)
      if (id === undefined) return
      const result = results[method]?.(params)
      const rest = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`)
    })
    .on('close', () => process.exit())
}

const load = (path) => import(pathToFileURL(`${dist}/${path}`).href)

/** The gateway as a program would put it together, on loopback. */
const serveBoard = async () => {
  const { createGateway } = await load('gateway.js')
  const { createStdioSource } = await load('sources/stdio/stdio.js')
  const { createStdioHost } = await load('sources/stdio/sessions.js')
  const { createMcpFace } = await load('faces/mcp/face.js')
  const { createMcpEndpoint } = await load('faces/mcp/http/endpoint.js')
  const { plainProfile } = await load('faces/mcp/profile.js')
  const { createHttpHost } = await load('http/host.js')
  const { createAuthenticator } = await load('http/auth-loopback.js')
  const { systemClock: clock } = await load('model/clock.js')
  const { silentLogger: logger } = await load('telemetry/logger.js')
  const gateway = createGateway()
  const host = createStdioHost({ clock, logger, hostEnv: process.env })
  const source = createStdioSource({
    name: 'child',
    clientInfo: { name: 'walk', version: '1' },
    clock,
    logger,
    host,
    command: process.execPath,
    args: [program],
    // A look at its health in the middle of a walk would be walked along.
    healthCheck: false,
  })
  await gateway.addSource('child', source)
  const face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '1' }, clock })
  const endpoint = createMcpEndpoint({ face, findProfile: () => plainProfile, clock, logger })
  const http = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
  http.addRoutes(endpoint.routes)
  const { url } = await http.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    face.close()
    endpoint.close()
    await http.close({ graceMs: 0 })
    await gateway.close()
    await host.close()
  }
  return { gateway, url: `${url}/mcp`, close }
}

const post = (url, headers, message) =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: { ...common, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ text, session: answer.headers['mcp-session-id'] }))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  })

const common = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const call = { method: 'tools/call', params: { name: 'child.echo', arguments: { text: 'walked' } } }
const read = { method: 'resources/read', params: { uri } }

const modern = ({ method, params }) => ({
  headers: { 'mcp-protocol-version': modernVersion, 'mcp-method': method, 'mcp-name': params.name ?? params.uri },
  message: {
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': modernVersion,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'walk', version: '1' },
      },
    },
  },
})

/** Begins a session, and gives back how to ask in it. */
const legacy = async (url) => {
  const headers = { 'mcp-protocol-version': legacyVersion }
  const clientInfo = { name: 'walk', version: '1' }
  const params = { protocolVersion: legacyVersion, capabilities: {}, clientInfo }
  const { session } = await post(url, headers, { id: 0, method: 'initialize', params })
  const inSession = { ...headers, 'mcp-session-id': session }
  await post(url, inSession, { method: 'notifications/initialized' })
  return (request) => ({ headers: inSession, message: { id: 1, ...request } })
}

/** What ran of the compiled modules since the last look: path and name of each function, and how often. */
const look = async (inspector) => {
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  const ours = pathToFileURL(`${dist}/`).href
  return result
    .filter(({ url }) => url.startsWith(ours))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [{ count }] }) => count > 0)
        .map(({ functionName: name, ranges: [{ count }] }) => ({ file: url.slice(ours.length), name, count })),
    )
}

const walk = async () => {
  const { gateway, url, close } = await serveBoard()
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const inSession = await legacy(url)
  const walks = { modernCall: modern(call), legacyCall: inSession(call), read: modern(read) }
  const told = {}
  for (const [name, { headers, message }] of Object.entries(walks)) {
    for (let warm = 0; warm < 3; warm++) await post(url, headers, message)
    const records = []
    const stop = gateway.onCall((record) => records.push({ kind: record.kind, tool: record.tool, ok: record.ok }))
    await look(inspector)
    const { text } = await post(url, headers, message)
    told[name] = { text, functions: await look(inspector), records }
    stop()
  }
  await close()
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

if (dist === undefined) serveChild()
else await walk()

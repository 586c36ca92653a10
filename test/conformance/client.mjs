// The command that the suite runs as "the client": a gateway with the suite's server as its source, driven by an SDK
// client through the gateway's own endpoint. What the suite sees upstream is all the gateway's.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const dist = pathToFileURL(`${resolve(process.env.PEGBOARD_DIST ?? 'dist')}/`)
const load = (path) => import(new URL(path, dist).href)
const { createGateway } = await load('gateway.js')
const { createHttpSource } = await load('sources/http/http.js')
const { createMcpFace } = await load('faces/mcp/face.js')
const { createMcpEndpoint } = await load('faces/mcp/http/endpoint.js')
const { createAuthenticator } = await load('http/auth-loopback.js')
const { createHttpHost } = await load('http/host.js')
const { systemClock: clock } = await load('model/clock.js')
const { silentLogger: logger } = await load('telemetry/logger.js')

const url = process.argv.at(-1)
const modern = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28'
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const info = { name: 'pegboard-conformance', version: '1.0.0' }

// The suite sends arguments that its own schemas forbid, to see what becomes of them upstream.
const gateway = createGateway({ logger, validation: 'off' })
const source = createHttpSource({ name: 'suite', url, clientInfo: info, clock, logger, healthCheck: false })
const face = createMcpFace({ gateway, serverInfo: info, clock })
const profile = { naming: { style: 'exact', namespacing: false, collisions: 'refuse' }, expose: 'flat' }
const endpoint = createMcpEndpoint({ face, findProfile: () => profile, clock, logger })
const host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
host.addRoutes(endpoint.routes)
const { url: address } = await host.listen({ host: '127.0.0.1', port: 0 })
await gateway.addSource('suite', source)

const client = new Client(info, {
  versionNegotiation: { mode: modern ? 'auto' : 'legacy' },
  capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
})
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }))
await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)))

const sampleOf = (name, schema, tools) => {
  if (name === 'schema') return tools[0].inputSchema
  return { number: 2, integer: 2, boolean: true, array: [], object: {} }[schema.type] ?? 'text'
}
const argumentsOf = (tool, tools) =>
  Object.fromEntries(
    Object.entries(tool.inputSchema.properties ?? {}).map(([name, schema]) => [name, sampleOf(name, schema, tools)]),
  )
const quietly = (asked) => asked.catch((error) => process.stderr.write(`${error.message}\n`))

const { tools } = await client.listTools()
const calls = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool, tools) }))
await Promise.all(calls.map((call) => quietly(client.callTool(call))))
const { prompts = [], resources = [] } = {
  ...(await quietly(client.listPrompts())),
  ...(await quietly(client.listResources())),
}
for (const { name } of prompts) await quietly(client.getPrompt({ name }))
for (const { uri } of resources) await quietly(client.readResource({ uri }))

await client.close()
face.close()
endpoint.close()
await host.close({ graceMs: 0 })
await gateway.close()

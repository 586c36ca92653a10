// The same relay with the official SDK of version 1 on both sides and nothing else. Arguments: JSON of
// { name: { url } | { command, args } }. Writes its port as the first line.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const connect = async ({ url, command, args }) => {
  const client = new Client({ name: 'sdk-v1-relay', version: '1' })
  await client.connect(
    url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args }),
  )
  return client
}

const clients = new Map()
for (const [name, how] of Object.entries(JSON.parse(process.argv[2]))) clients.set(name, await connect(how))

const lists = await Promise.all(
  [...clients].map(async ([name, client]) => {
    const { tools } = await client.listTools()
    return tools.map((tool) => ({ ...tool, name: `${name}.${tool.name}` }))
  }),
)
const tools = lists.flat()

const sessions = new Map()
const openSession = async () => {
  const server = new Server({ name: 'sdk-v1-relay', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const cut = params.name.indexOf('.')
    const inner = { name: params.name.slice(cut + 1), arguments: params.arguments }
    return clients.get(params.name.slice(0, cut)).callTool(inner)
  })
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    // Plain JSON answers: an event stream per call would cost it still more.
    enableJsonResponse: true,
    onsessioninitialized: (id) => sessions.set(id, transport),
  })
  await server.connect(transport)
  return transport
}

const server = createServer(async (incoming, outgoing) => {
  const id = incoming.headers['mcp-session-id']
  const transport = id === undefined ? await openSession() : sessions.get(id)
  await transport.handleRequest(incoming, outgoing)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(server.address().port))

// The same relay with the official SDK (v2) on both sides and nothing else. Arguments as for bare-relay.mjs.
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

const connect = async ({ url, command, args }) => {
  const client = new Client(
    { name: 'sdk-relay', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
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

const handler = createMcpHandler(
  () => {
    const server = new Server({ name: 'sdk-relay', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', ({ params }) => {
      const cut = params.name.indexOf('.')
      const inner = { name: params.name.slice(cut + 1), arguments: params.arguments }
      return clients.get(params.name.slice(0, cut)).callTool(inner)
    })
    return server
  },
  // Plain JSON answers: an event stream per call would cost it still more.
  { responseMode: 'json' },
)

const server = createServer(toNodeHandler(handler))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit())

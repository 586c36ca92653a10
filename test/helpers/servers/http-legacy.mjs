import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createLegacyServer } from './legacy.mjs'
import { listen } from './listen.mjs'
import { createTools } from './tools.mjs'

const sessions = new Map()
const tools = createTools(() => Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged())))

const begin = async () => {
  const server = createLegacyServer(tools)
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, { server, transport }),
    onsessionclosed: (id) => sessions.delete(id),
  })
  await server.connect(transport)
  return transport
}

await listen(tools, async (request, response) => {
  const id = request.headers['mcp-session-id']
  const known = id === undefined ? undefined : sessions.get(id)
  if (id !== undefined && !known) return response.writeHead(404).end()
  await (known?.transport ?? (await begin())).handleRequest(request, response)
})

import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createOffer } from './board.mjs'
import { Sessions } from './legacy.mjs'
import { listen } from './listen.mjs'

const sessions = new Sessions()
const offer = createOffer(sessions.told)
const transports = new Map()

const begin = async () => {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => transports.set(id, transport),
    onsessionclosed: (id) => transports.delete(id),
  })
  await sessions.begin(offer).connect(transport)
  return transport
}

await listen(offer, async (request, response) => {
  const id = request.headers['mcp-session-id']
  const known = id === undefined ? undefined : transports.get(id)
  if (id !== undefined && !known) return response.writeHead(404).end()
  await (known ?? (await begin())).handleRequest(request, response)
})

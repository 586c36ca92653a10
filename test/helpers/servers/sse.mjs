import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { createLegacyServer } from './legacy.mjs'
import { listen } from './listen.mjs'
import { createTools } from './tools.mjs'

const sessions = new Map()
const tools = createTools(() => Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged())))

await listen(
  tools,
  async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://fixture')
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      const server = createLegacyServer(tools)
      sessions.set(transport.sessionId, { server, transport })
      response.on('close', () => sessions.delete(transport.sessionId))
      return server.connect(transport)
    }
    const session = sessions.get(searchParams.get('sessionId'))
    if (request.method !== 'POST' || !session) return response.writeHead(404).end()
    return session.transport.handlePostMessage(request, response)
  },
  '/sse',
)

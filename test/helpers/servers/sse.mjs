import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { createOffer } from './board.mjs'
import { Sessions } from './legacy.mjs'
import { listen } from './listen.mjs'

const sessions = new Sessions()
const offer = createOffer(sessions.told)
const transports = new Map()

await listen(
  offer,
  async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://fixture')
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      transports.set(transport.sessionId, transport)
      response.on('close', () => transports.delete(transport.sessionId))
      return sessions.begin(offer).connect(transport)
    }
    const transport = transports.get(searchParams.get('sessionId'))
    if (request.method !== 'POST' || !transport) return response.writeHead(404).end()
    return transport.handlePostMessage(request, response)
  },
  '/sse',
)

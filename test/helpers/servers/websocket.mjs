// The SDK has no server side for WebSocket, so its transport is written here: one message a frame.
import { WebSocketServer } from 'ws'
import { createOffer } from './board.mjs'
import { Sessions } from './legacy.mjs'
import { listen } from './listen.mjs'

const sessions = new Sessions()
const offer = createOffer(sessions.told)

const transportOf = (socket) => {
  const transport = {
    start: async () => {
      socket.on('message', (data) => transport.onmessage?.(JSON.parse(String(data))))
      socket.on('close', () => transport.onclose?.())
      socket.on('error', (error) => transport.onerror?.(error))
    },
    send: async (message) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  }
  return transport
}

const server = await listen(offer, (_request, response) => response.writeHead(426).end())
const sockets = new WebSocketServer({ server, handleProtocols: (offered) => offered.has('mcp') && 'mcp' })
sockets.on('connection', (socket) => void sessions.begin(offer).connect(transportOf(socket)))

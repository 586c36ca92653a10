// The SDK has no server side for WebSocket, so its transport is written here: one message a frame.
import { WebSocketServer } from 'ws'
import { createLegacyServer } from './legacy.mjs'
import { listen } from './listen.mjs'
import { createTools } from './tools.mjs'

const servers = new Set()
const tools = createTools(() => Promise.all([...servers].map((server) => server.sendToolListChanged())))

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

const server = await listen(tools, (_request, response) => response.writeHead(426).end())
const sockets = new WebSocketServer({ server, handleProtocols: (offered) => offered.has('mcp') && 'mcp' })
sockets.on('connection', (socket) => {
  const session = createLegacyServer(tools)
  servers.add(session)
  socket.on('close', () => servers.delete(session))
  void session.connect(transportOf(socket))
})

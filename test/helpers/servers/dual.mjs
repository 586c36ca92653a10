// SDK v2 around the board, serving both eras: `dual.mjs stdio|http|stateless`. What the board asks it asks in the way of the
// era; `push_name` only knows the legacy way, as servers do that were moved to the new SDK and not rewritten. `stateless` is
// the SDK's own default for legacy clients: no session, so nobody can be asked there.
import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createBoard, questions, sayAnswer } from './board.mjs'
import { listen } from './listen.mjs'
import { createModernServer } from './modern.mjs'
import { text } from './tools.mjs'

const [, , way] = process.argv
const servers = new Set()
const tell = (announce) => Promise.all([...servers].map((server) => announce(server).catch(() => {})))
const board = createBoard({
  toolsChanged: async () => {
    handler.notify.toolsChanged()
    await tell((server) => server.sendToolListChanged())
  },
  updated: async (uri) => {
    handler.notify.resourceUpdated(uri)
    await tell((server) => server.sendResourceUpdated({ uri }))
  },
  promptsChanged: async () => {
    handler.notify.promptsChanged()
    await tell((server) => server.sendPromptListChanged())
  },
})
const inputSchema = { type: 'object' }
const offer = {
  ...board,
  list: (era) => [
    ...board.list(),
    { name: 'push_name', description: 'Asks in the legacy way alone', inputSchema },
    ...(era === 'modern' ? [{ name: 'modern_only', description: 'Asks, where it exists', inputSchema }] : []),
  ],
  question: (name, era) => (name === 'modern_only' && era === 'modern' ? questions.ask_name : board.question(name)),
  call: async (name, args, context) => {
    if (name === 'push_name') return sayAnswer(questions.ask_name, await context.send(questions.ask_name))
    // Which process answers, and in which era.
    if (name === 'pid') return text(`${process.pid} ${context.era}`)
    return board.call(name, args, context)
  },
}

/** One that stays, so that it can be told what has changed. */
const createLasting = (context) => {
  const server = createModernServer(offer, context)
  servers.add(server)
  server.onclose = () => servers.delete(server)
  return server
}

const handler = createMcpHandler((context) => createModernServer(offer, context), {
  legacy: way === 'stateless' ? 'stateless' : 'reject',
})
const modern = toNodeHandler(handler)

const sessions = new Map()
const begin = async () => {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => sessions.set(session, transport),
    onsessionclosed: (session) => sessions.delete(session),
  })
  await createLasting({ era: 'legacy' }).connect(transport)
  return transport
}
const serveBoth = async (request, response) => {
  const id = request.headers['mcp-session-id']
  if (id !== undefined && !sessions.has(id)) return response.writeHead(404).end()
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
  if (id !== undefined) return sessions.get(id).handleRequest(request, response, body)
  if (body?.method === 'initialize') return (await begin()).handleRequest(request, response, body)
  return modern(request, response, body)
}

if (way === 'http') await listen(board, serveBoth)
else if (way === 'stateless') await listen(board, modern)
else {
  serveStdio(createLasting)
  process.stdin.on('end', () => process.exit())
}

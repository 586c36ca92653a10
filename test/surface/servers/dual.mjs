// SDK v2 around the board, serving both eras: `dual.mjs stdio|http|stateless`. What the board asks it asks in the way of the
// era; `push_name` only knows the legacy way, as servers do that were moved to the new SDK and not rewritten. `stateless` is
// the SDK's own default for legacy clients: no session, so nobody can be asked there.
import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { capabilities, createBoard, questions, sayAnswer } from './board.mjs'
import { listen } from './listen.mjs'

const [, , way] = process.argv
const servers = new Set()
const tell = (announce) => Promise.all([...servers].map((server) => announce(server).catch(() => {})))
const board = createBoard({
  updated: async (uri) => {
    handler.notify.resourceUpdated(uri)
    await tell((server) => server.sendResourceUpdated({ uri }))
  },
  promptsChanged: async () => {
    handler.notify.promptsChanged()
    await tell((server) => server.sendPromptListChanged())
  },
})
const nothing = { type: 'object', properties: {} }
const tools = [
  ...board.tools,
  { name: 'push_name', description: 'Asks in the legacy way alone', inputSchema: nothing },
  { name: 'pid', description: 'Which process answers, and in which era', inputSchema: nothing },
]

const createServer = ({ era }) => {
  const server = new Server({ name: 'surface-dual', version: '1.0.0' }, { capabilities, instructions: 'Ask away.' })
  const question = (name, mcpReq) => {
    const asked = questions[name]
    if (era === 'legacy') return mcpReq.send(asked).then((answer) => sayAnswer(name, answer))
    const answer = mcpReq.inputResponses?.answer
    return answer ? sayAnswer(name, answer) : inputRequired({ inputRequests: { answer: asked } })
  }
  server.setRequestHandler('tools/list', () => ({
    tools: era === 'legacy' ? tools : [...tools, { ...board.tools[0], name: 'modern_only' }],
  }))
  server.setRequestHandler('prompts/list', () => ({ prompts: board.prompts() }))
  server.setRequestHandler('prompts/get', ({ params }) => board.getPrompt(params.name))
  server.setRequestHandler('resources/list', () => ({ resources: board.resources }))
  server.setRequestHandler('resources/read', ({ params }) => board.read(params.uri))
  if (era === 'legacy') server.setRequestHandler('resources/subscribe', () => ({}))
  if (era === 'legacy') server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name } = params
    if (name === 'push_name') return sayAnswer('ask_name', await mcpReq.send(questions.ask_name))
    if (name === 'pid') return { content: [{ type: 'text', text: `${process.pid} ${era}` }] }
    if (name === 'modern_only' && era === 'modern') return question('ask_name', mcpReq)
    if (questions[name]) return question(name, mcpReq)
    const progressToken = mcpReq._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return board.call(name, params.arguments, { signal: mcpReq.signal, progress })
  })
  return server
}

/** One that stays, so that it can be told what has changed. */
const createLasting = (context) => {
  const server = createServer(context)
  servers.add(server)
  server.onclose = () => servers.delete(server)
  return server
}

const handler = createMcpHandler(createServer, { legacy: way === 'stateless' ? 'stateless' : 'reject' })
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

if (way === 'http') await listen(serveBoth)
else if (way === 'stateless') await listen(modern)
else {
  serveStdio(createLasting)
  process.stdin.on('end', () => process.exit())
}

// SDK v1 around the board, over stdio or Streamable HTTP: `legacy.mjs stdio|http`.
import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { capabilities, createBoard, questions, sayAnswer } from './board.mjs'
import { listen } from './listen.mjs'

const answerSchemas = {
  'elicitation/create': ElicitResultSchema,
  'sampling/createMessage': CreateMessageResultSchema,
  'roots/list': ListRootsResultSchema,
}
const servers = new Map()
const board = createBoard({
  updated: (uri) =>
    Promise.all(
      [...servers].filter(([, uris]) => uris.has(uri)).map(([server]) => server.sendResourceUpdated({ uri })),
    ),
  promptsChanged: () => Promise.all([...servers.keys()].map((server) => server.sendPromptListChanged())),
})

const createServer = () => {
  const server = new Server({ name: 'surface-legacy', version: '1.0.0' }, { capabilities, instructions: 'Ask away.' })
  const followed = new Set()
  servers.set(server, followed)
  server.onclose = () => servers.delete(server)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: board.tools }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: board.prompts() }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => board.getPrompt(params.name))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: board.resources }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => board.read(params.uri))
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    followed.add(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    followed.delete(params.uri)
    return {}
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, sendRequest }) => {
    const question = questions[params.name]
    if (question) return sayAnswer(params.name, await sendRequest(question, answerSchemas[question.method]))
    const progressToken = params._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await sendNotification({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return board.call(params.name, params.arguments, { signal, progress })
  })
  return server
}

const serveHttp = () => {
  const transports = new Map()
  return listen(async (request, response) => {
    const id = request.headers['mcp-session-id']
    const known = id === undefined ? undefined : transports.get(id)
    if (id !== undefined && !known) return response.writeHead(404).end()
    const begin = async () => {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => transports.set(session, transport),
        onsessionclosed: (session) => transports.delete(session),
      })
      await createServer().connect(transport)
      return transport
    }
    await (known ?? (await begin())).handleRequest(request, response)
  })
}

if (process.argv[2] === 'http') await serveHttp()
else {
  await createServer().connect(new StdioServerTransport())
  process.stdin.on('end', () => process.exit())
}

// SDK v2 around the board, over stdio or HTTP: `modern.mjs stdio|http`.
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { capabilities, createBoard, questions, sayAnswer } from './board.mjs'
import { listen } from './listen.mjs'

const overHttp = process.argv[2] === 'http'
let connected
const board = createBoard({
  updated: (uri) => (overHttp ? handler.notify.resourceUpdated(uri) : connected.sendResourceUpdated({ uri })),
  promptsChanged: () => (overHttp ? handler.notify.promptsChanged() : connected.sendPromptListChanged()),
})

const createServer = () => {
  const server = new Server({ name: 'surface-modern', version: '1.0.0' }, { capabilities, instructions: 'Ask away.' })
  connected = server
  server.setRequestHandler('tools/list', () => ({ tools: board.tools }))
  server.setRequestHandler('prompts/list', () => ({ prompts: board.prompts() }))
  server.setRequestHandler('prompts/get', ({ params }) => board.getPrompt(params.name))
  server.setRequestHandler('resources/list', () => ({ resources: board.resources }))
  server.setRequestHandler('resources/read', ({ params }) => board.read(params.uri))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const question = questions[params.name]
    const answer = mcpReq.inputResponses?.answer
    if (question)
      return answer ? sayAnswer(params.name, answer) : inputRequired({ inputRequests: { answer: question } })
    const progressToken = mcpReq._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return board.call(params.name, params.arguments, { signal: mcpReq.signal, progress })
  })
  return server
}

const handler = createMcpHandler(createServer, { legacy: 'reject' })
if (overHttp) await listen(toNodeHandler(handler))
else {
  serveStdio(createServer, { legacy: 'reject' })
  process.stdin.on('end', () => process.exit())
}

// An MCP server over stdio whose page is turned by a tool: it tells who follows it. What it knows is in its memory.
import { createInterface } from 'node:readline'

const uri = 'book://page'
let page = 0
let isFollowed = false
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const at = () => `page ${page} of ${process.pid}`

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: { subscribe: true } },
    serverInfo: { name: 'pages', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'turn', description: 'Turns the page', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    page += 1
    if (isFollowed) say({ method: 'notifications/resources/updated', params: { uri } })
    return { content: [{ type: 'text', text: at() }] }
  },
  'prompts/list': () => ({ prompts: [{ name: 'read', description: 'Reads the page aloud' }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: at() } }] }),
  'resources/list': () => ({ resources: [{ uri, name: 'page', mimeType: 'text/plain' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({ contents: [{ uri, mimeType: 'text/plain', text: at() }] }),
  'resources/subscribe': () => {
    isFollowed = true
    return {}
  },
  'resources/unsubscribe': () => {
    isFollowed = false
    return {}
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  const answer = answers[method]
  if (answer) say({ id, result: answer(params ?? {}) })
  else say({ id, error: { code: -32601, message: `There is no ${method}` } })
})

// An MCP server over stdio whose one tool sends a person to a page, and says later that they are done there.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const waiting = new Map()
let papers = 0

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'signer', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'sign', description: 'Has a paper signed', inputSchema: { type: 'object' } }],
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (method === undefined && waiting.has(id)) {
    say({ id: waiting.get(id), result: { content: [{ type: 'text', text: 'signed' }] } })
    say({ method: 'notifications/elicitation/complete', params: { elicitationId: id } })
    waiting.delete(id)
  } else if (method === 'tools/call') {
    const paper = `paper-${++papers}`
    waiting.set(paper, id)
    const asked = { mode: 'url', message: 'Sign here', url: 'https://papers.example.com/1', elicitationId: paper }
    say({ id: paper, method: 'elicitation/create', params: asked })
  } else if (id !== undefined && answers[method]) say({ id, result: answers[method](params) })
  else if (id !== undefined) say({ id, error: { code: -32601, message: `Unknown method ${method}` } })
})

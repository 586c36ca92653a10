// An MCP server over stdio whose one tool asks its caller for a name before it answers.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tools = [{ name: 'greet', description: 'Asks who you are, and greets you.', inputSchema: { type: 'object' } }]
const question = {
  message: 'Who are you, in confidence?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}
const waiting = new Map()
let asked = 0

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'asker', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {}, result } = JSON.parse(line)
  if (method === undefined && waiting.has(id)) {
    const text = `Hello, ${result?.content?.name ?? 'stranger'}`
    send({ id: waiting.get(id), result: { content: [{ type: 'text', text }] } })
    waiting.delete(id)
  } else if (method === 'tools/call') {
    const name = `question-${++asked}`
    waiting.set(name, id)
    send({ id: name, method: 'elicitation/create', params: question })
  } else if (id !== undefined && answers[method]) send({ id, result: answers[method](params) })
  else if (id !== undefined) send({ id, error: { code: -32601, message: `Unknown method ${method}` } })
})

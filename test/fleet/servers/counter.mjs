// An MCP server over stdio that can be told apart: it counts its calls in memory and says which process it is.
import { createInterface } from 'node:readline'

let count = 0
let nextQuestion = 0
const questions = new Map()
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const noArgs = { type: 'object', properties: {} }

const tools = [
  {
    name: 'count',
    description: 'Adds one and says how many calls there were, and in which process',
    inputSchema: noArgs,
  },
  { name: 'pid', description: 'Says which process this is', inputSchema: noArgs },
  {
    name: 'slow',
    description: 'Answers late',
    inputSchema: { type: 'object', properties: { ms: { type: 'integer' } } },
  },
  { name: 'ask', description: 'Asks the caller its name and greets it', inputSchema: noArgs },
]

const calls = {
  count: async () => text(JSON.stringify({ count: ++count, pid: process.pid })),
  pid: async () => text(process.pid),
  slow: ({ ms = 1000 }) => new Promise((resolve) => setTimeout(() => resolve(text('late')), ms)),
  ask: async () => {
    const answer = await new Promise((resolve) => {
      const id = `q${++nextQuestion}`
      questions.set(id, resolve)
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
      say({ id, method: 'elicitation/create', params: { message: 'Who are you?', requestedSchema } })
    })
    return text(`Hello, ${answer.result?.content?.name ?? answer.result?.action ?? 'nobody'}, from ${process.pid}`)
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === undefined) return questions.get(id)?.(JSON.parse(line))
  if (method === 'initialize')
    return say({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'counter', version: '1' },
      },
    })
  if (method === 'ping') return say({ id, result: {} })
  if (method === 'tools/list') return say({ id, result: { tools } })
  if (method === 'tools/call') return say({ id, result: await calls[params.name](params.arguments ?? {}) })
  if (id !== undefined) say({ id, error: { code: -32601, message: `There is no ${method}` } })
})

// An MCP server over stdio that says nothing until a file is there: one that takes its time to start.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const [, , gate] = process.argv
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tools = [{ name: 'pid', description: 'Says which process this is', inputSchema: { type: 'object' } }]
const prompts = [{ name: 'hello', description: 'Greets' }]
const opened = (async () => {
  while (!existsSync(gate)) await pause(20)
})()

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {} },
    serverInfo: { name: 'late', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'prompts/list': () => ({ prompts }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: `hello from ${process.pid}` } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: String(process.pid) }] }),
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  await opened
  const answer = answers[method]
  say(answer ? { id, result: answer(params ?? {}) } : { id, error: { code: -32601, message: `There is no ${method}` } })
})

// A server that lists every bomb as a tool, `bomb_0` and so on, and one honest tool; whatever is called answers "done".
import { createInterface } from 'node:readline'
import { bombs } from './bombs.mjs'

const tools = [
  {
    name: 'honest',
    description: 'Takes a list of numbers',
    inputSchema: { type: 'object', properties: { v: { type: 'array', items: { type: 'number' } } } },
  },
  ...bombs.map(({ name, inputSchema }, index) => ({ name: `bomb_${index}`, description: name, inputSchema })),
]

const results = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bombs', version: '1.0.0' },
  }),
  // By a few at a time, as a server with large definitions does.
  'tools/list': ({ cursor = '0' } = {}) => {
    const from = Number(cursor)
    const nextCursor = from + 20 < tools.length ? String(from + 20) : undefined
    return { tools: tools.slice(from, from + 20), nextCursor }
  },
  'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]?.(params)
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})

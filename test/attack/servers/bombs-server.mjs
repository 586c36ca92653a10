// A server whose tools are schema bombs; whatever it is sent is fine with it.
import { createInterface } from 'node:readline'
import { bombs } from '../bombs-list.mjs'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bombs', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: bombs.map(({ name, inputSchema }) => ({ name, inputSchema })) }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'taken' }] }),
}
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    const result = results[method]?.(params)
    send(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } })
  })
  .on('close', () => process.exit())

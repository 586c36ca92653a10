// A small MCP server over stdio. Its tools come from the file that it is told, so that a test can change what it says of itself.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
process.stderr.write(`office: ${tools.length} tools\n`)

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'office', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: JSON.stringify({ name, args }) }],
    ...(args?.city === 'nowhere' ? { isError: true } : {}),
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  if (answer) send({ id, result: answer(params) })
  else send({ id, error: { code: -32601, message: `Unknown method ${method}` } })
})

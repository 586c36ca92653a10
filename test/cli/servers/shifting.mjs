// A server that says what a file says: `{ "instructions"?: …, "tools": [ … ] }`, read anew for each start and list.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv[2]
const read = () => JSON.parse(readFileSync(file, 'utf8'))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'shifting', version: '1.0.0' },
    ...(read().instructions ? { instructions: read().instructions } : {}),
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: read().tools }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `ran ${name}` }] }),
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    if (Object.hasOwn(methods, method)) send({ id, result: methods[method](params) })
    else send({ id, error: { code: -32601, message: 'Method not found' } })
  })
  .on('close', () => process.exit())

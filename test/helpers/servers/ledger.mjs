// A server of the earlier era that writes down what was done, in the file of its one argument: so that a test can count it,
// whichever process did it.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , file] = process.argv
const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'ledger', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [
      { name: 'look', description: 'Looks at a number', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'pay', description: 'Pays a number', inputSchema },
    ],
  }),
  'tools/call': ({ name, arguments: { n } }) => {
    appendFileSync(file, `${name} ${n}\n`)
    return { content: [{ type: 'text', text: JSON.stringify({ [name]: n }) }] }
  },
}

const receive = ({ id, method, params = {} }) => {
  if (id === undefined) return
  const known = Object.hasOwn(methods, method)
  const answer = known ? { result: methods[method](params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}

createInterface({ input: process.stdin })
  .on('line', (line) => receive(JSON.parse(line)))
  .on('close', () => process.exit())

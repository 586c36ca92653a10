// Does whatever it is told to: the tool `run` is handed the body of a function. For what a child on a leash may not do.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const AsyncFunction = (async () => {}).constructor
const inputSchema = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] }

const run = async ({ arguments: { code } }) => {
  try {
    const value = await new AsyncFunction(code)()
    return { content: [{ type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') }] }
  } catch (error) {
    const { code: reason, cause, message } = error
    return { isError: true, content: [{ type: 'text', text: `${reason ?? cause?.code ?? ''} ${message}` }] }
  }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'prisoner', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'run', description: 'Runs code', inputSchema }] }),
  'tools/call': run,
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    const known = Object.hasOwn(methods, method)
    send(known ? { id, result: await methods[method](params) } : { id, error: { code: -32601, message: 'unknown' } })
  })
  .on('close', () => process.exit())

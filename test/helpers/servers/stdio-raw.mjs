// The fixture tools without any SDK: starts fast, and drops nothing of what it is sent. Legacy era.
import { createInterface } from 'node:readline'
import { createTools } from './tools.mjs'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tools = createTools(() => send({ method: 'notifications/tools/list_changed' }))
const running = new Map()

const call = async (id, { name, arguments: args, _meta }) => {
  const controller = new AbortController()
  running.set(id, controller)
  const progress = (value) => {
    if (_meta?.progressToken !== undefined)
      send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, ...value } })
  }
  try {
    return await tools.call(name, args, { signal: controller.signal, progress })
  } finally {
    running.delete(id)
  }
}

const methods = {
  initialize: (_id, { protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'fixture-raw', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools.list() }),
  'tools/call': call,
}

const receive = async ({ id, method, params = {} }) => {
  if (method === 'notifications/cancelled') running.get(params.requestId)?.abort()
  if (id === undefined) return
  try {
    if (!Object.hasOwn(methods, method)) throw Object.assign(new Error('Method not found'), { code: -32601 })
    send({ id, result: await methods[method](id, params) })
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } })
  }
}

// For a test whose way through the gateway is closed already.
process.on('SIGUSR2', tools.releaseAll)

createInterface({ input: process.stdin })
  .on('line', (line) => void receive(JSON.parse(line)))
  .on('close', () => process.exit())

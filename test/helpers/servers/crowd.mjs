// A server for floods: calls that end when somebody says so, and resources that anybody may follow. Legacy era, no SDK.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const held = []
const followed = new Set()
const started = new Map()

const tools = {
  // Ends with the next `release`.
  hold: ({ who = '' }) => {
    started.set(who, (started.get(who) ?? 0) + 1)
    return new Promise((resolve) => held.push(() => resolve(text(`released ${who}`))))
  },
  release: () => text(held.splice(0).map((release) => release()).length),
  started: ({ who = '' }) => text(started.get(who) ?? 0),
  big: ({ bytes }) => text('x'.repeat(bytes)),
  followed: () => text(JSON.stringify([...followed])),
  touch: ({ uri }) => {
    send({ method: 'notifications/resources/updated', params: { uri } })
    return text('touched')
  },
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: { subscribe: true } },
    serverInfo: { name: 'crowd', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name, arguments: args }) => tools[name](args ?? {}),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'crowd://{name}', name: 'anything' }] }),
  'resources/subscribe': ({ uri }) => {
    followed.add(uri)
    return {}
  },
  'resources/unsubscribe': ({ uri }) => {
    followed.delete(uri)
    return {}
  },
}

const receive = async ({ id, method, params = {} }) => {
  if (id === undefined) return
  const known = Object.hasOwn(methods, method)
  if (!known) return send({ id, error: { code: -32601, message: 'Method not found' } })
  send({ id, result: await methods[method](params) })
}

createInterface({ input: process.stdin })
  .on('line', (line) => void receive(JSON.parse(line)))
  .on('close', () => process.exit())

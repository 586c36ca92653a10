// A server of the earlier era that remembers one page in its process, as a browser's does: whoever shares it sees that page.
import { createInterface } from 'node:readline'

const inputSchema = { type: 'object', properties: { page: { type: 'string' } } }
const tool = (name, description) => ({ name, description, inputSchema })
const waiting = new Map()
let page = 'about:blank'
let asked = 0
let tools = [
  tool('goto', 'Opens a page'),
  tool('page', 'The open page'),
  tool('sign', 'Asks who signs the page'),
  tool('slow', 'Says how far it is, then which page'),
  tool('learn', 'Has one more tool from now on'),
  tool('crash', 'Ends the process'),
]

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const state = () => text(JSON.stringify({ page, pid: process.pid }))

const calls = {
  goto: ({ page: next }) => {
    page = next
    say({ method: 'notifications/resources/updated', params: { uri: 'page://current' } })
    return state()
  },
  page: state,
  sign: async () => {
    const id = `ask-${++asked}`
    const answered = new Promise((resolve) => waiting.set(id, resolve))
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    say({ id, method: 'elicitation/create', params: { message: `Who signs ${page}?`, requestedSchema } })
    const { content } = await answered
    return text(`${page} by ${content?.name}`)
  },
  slow: (_, meta) => {
    say({
      method: 'notifications/progress',
      params: { progressToken: meta?.progressToken, progress: 1, message: page },
    })
    return state()
  },
  learn: () => {
    tools = [...tools, tool(`secret_of_${page}`, 'Only here')]
    say({ method: 'notifications/tools/list_changed' })
    return state()
  },
  crash: () => process.exit(1),
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    serverInfo: { name: 'pages', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args, _meta }) => calls[name](args ?? {}, _meta),
  'resources/list': () => ({ resources: [{ uri: 'page://current', name: 'current' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: page }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
}

const receive = async ({ id, method, params = {}, result }) => {
  if (method === undefined) return waiting.get(id)?.(result ?? {})
  if (id === undefined) return
  if (!Object.hasOwn(methods, method)) return say({ id, error: { code: -32601, message: 'Method not found' } })
  say({ id, result: await methods[method](params) })
}

createInterface({ input: process.stdin })
  .on('line', (line) => void receive(JSON.parse(line)))
  .on('close', () => process.exit())

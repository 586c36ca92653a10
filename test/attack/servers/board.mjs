// An honest server with everything that can be asked of one, some of it hidden from the callers of a narrow profile.
import { createInterface } from 'node:readline'

import { canary } from '../canary.mjs'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
// A second server of this program offers its own.
const scheme = process.argv[2] ?? 'file'
const anything = { type: 'object' }
const secretArguments = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Secret-Region' } },
}

const tools = {
  echo: (args) => text(JSON.stringify(args)),
  slow: ({ ms = 1000 }) => new Promise((resolve) => setTimeout(() => resolve(text('slept')), ms)),
  big: ({ bytes = 1_000_000 }) => text('x'.repeat(bytes)),
  pid: () => text(process.pid),
  secret_tool: () => text(canary),
}
const resources = ['file:///pub/a', 'file:///secret/b'].map((uri) => ({
  uri,
  name: uri,
  description: isSecret(uri) ? canary : '',
}))
function isSecret(uri) {
  return uri.includes('secret')
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} },
    serverInfo: { name: 'honest', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: name === 'secret_tool' ? canary : `The board's ${name}`,
      inputSchema: name === 'secret_tool' ? secretArguments : anything,
    })),
  }),
  'tools/call': ({ name, arguments: args = {} }) => tools[name](args),
  'prompts/list': () => ({ prompts: [{ name: 'hello' }, { name: 'secret_prompt', description: canary }] }),
  'prompts/get': ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: name === 'hello' ? 'hi' : canary } }],
  }),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: `${scheme}:///pub/{name}`, name: 'public' }],
  }),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, text: isSecret(decodeURIComponent(uri.toLowerCase())) ? canary : 'public' }],
  }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'completion/complete': ({ ref }) => ({
    completion: { values: [JSON.stringify(ref).includes('secret') ? canary : 'a'] },
  }),
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    try {
      if (!Object.hasOwn(methods, method)) throw Object.assign(new Error('Method not found'), { code: -32601 })
      send({ id, result: await methods[method](params) })
    } catch (error) {
      send({ id, error: { code: error.code ?? -32602, message: error.message } })
    }
  })
  .on('close', () => process.exit())

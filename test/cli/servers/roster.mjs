// A server of the earlier era whose coming up is in the test's hands. One argument, as JSON: `name`, `tools` (how many),
// `holdIf` (a file: while it is there, nothing is answered), `endIf` (a file: if it is there, the process ends at once),
// `more` (prompts, resources and instructions too), `listed` (a file that is there once the tools were listed).
import { existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { name, tools = 1, holdIf, endIf, more = false, listed } = JSON.parse(process.argv[2])
if (endIf && existsSync(endIf)) {
  process.stderr.write(`${name} is out of order\n`)
  process.exit(3)
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, ...(more ? { prompts: {}, resources: {}, completions: {} } : {}) },
    serverInfo: { name, version: '1.0.0' },
    ...(more ? { instructions: `About ${name}.` } : {}),
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Array.from({ length: tools }, (_, index) => ({
      name: `t${index}`,
      description: `Number ${index} of ${name}`,
      inputSchema: { type: 'object', properties: {} },
    })),
  }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: `${name} ${params.name}` }] }),
  ...(more
    ? {
        'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'whom' }] }] }),
        'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: `Hello from ${name}` } }] }),
        'resources/list': () => ({ resources: [{ uri: `memo://${name}`, name: 'memo' }] }),
        'resources/templates/list': () => ({
          resourceTemplates: [{ uriTemplate: `memo://${name}/{id}`, name: 'memos' }],
        }),
        'completion/complete': () => ({ completion: { values: ['world'], total: 1, hasMore: false } }),
      }
    : {}),
}

const untilFree = async () => {
  while (holdIf && existsSync(holdIf)) await new Promise((resolve) => setTimeout(resolve, 20))
}

const receive = async ({ id, method, params = {} }) => {
  if (id === undefined) return
  await untilFree()
  const known = Object.hasOwn(methods, method)
  const answer = known ? { result: methods[method](params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
  if (listed && method === 'tools/list') writeFileSync(listed, '')
}

createInterface({ input: process.stdin })
  .on('line', (line) => void receive(JSON.parse(line)))
  .on('close', () => process.exit())

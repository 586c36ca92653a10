// A server that says what a file says: `{ "instructions"?: …, "tools": [ … ], "prompts"?, "resources"?, "templates"?, "after"? }`, read
// anew for each start and list. From the first call on it says what is under `after`, and announces that.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv.at(-1)
let turned = false
const read = () => {
  const said = JSON.parse(readFileSync(file, 'utf8'))
  return turned && said.after ? { ...said, ...said.after } : said
}
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const has = (kind) => JSON.parse(readFileSync(file, 'utf8'))[kind] !== undefined
const turn = () => {
  if (turned || !JSON.parse(readFileSync(file, 'utf8')).after) return
  turned = true
  for (const kind of ['tools', 'prompts', 'resources']) send({ method: `notifications/${kind}/list_changed` })
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
      ...(has('resources') || has('templates') ? { resources: { listChanged: true } } : {}),
    },
    serverInfo: { name: 'shifting', version: '1.0.0' },
    ...(read().instructions ? { instructions: read().instructions } : {}),
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: read().tools }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `ran ${name}` }] }),
  'prompts/list': () => ({ prompts: read().prompts ?? [] }),
  'prompts/get': ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `got ${name}` } }] }),
  'resources/list': () => ({ resources: read().resources ?? [] }),
  'resources/templates/list': () => ({ resourceTemplates: read().templates ?? [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `content of ${uri}` }] }),
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    if (Object.hasOwn(methods, method)) send({ id, result: methods[method](params) })
    else send({ id, error: { code: -32601, message: 'Method not found' } })
    if (method === 'tools/call') turn()
  })
  .on('close', () => process.exit())

// A server whose every answer holds what it was started with: `node leaky-server.mjs SECRET`. It writes what it was asked to
// the file named second, so that a test sees what reached it, and the third to its standard error.

import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , secret, file, told] = process.argv
const say = `the key is ${secret}, "keep" it`
const tool = (name) => ({ name, description: 'Says it', inputSchema: { type: 'object' } })

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
    serverInfo: { name: 'leaky', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool('say'), tool('fail'), tool('take')] }),
  'tools/call': ({ name }) => {
    if (name === 'take') return { content: [{ type: 'text', text: 'taken' }] }
    return {
      content: [
        { type: 'text', text: say },
        { type: 'resource', resource: { uri: 'note://x', text: say } },
      ],
      structuredContent: { deep: [{ said: say }] },
      isError: name === 'fail',
    }
  },
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: say } }] }),
  'resources/list': () => ({ resources: [{ uri: 'note://one', name: 'one' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({ contents: [{ uri: 'note://one', text: say }] }),
  'completion/complete': () => ({ completion: { values: [say] } }),
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    if (method === 'tools/call' || method === 'prompts/get') appendFileSync(file, `${JSON.stringify(params)}\n`)
    process.stderr.write(`asked ${method}: ${secret} ${told}\n`)
    const result = results[method]?.(params)
    const rest = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`)
  })
  .on('close', () => process.exit())

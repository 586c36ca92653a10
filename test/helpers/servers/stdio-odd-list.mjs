// Lists tools that are hard to take: nested without end, with more digits than a double holds, with a root that may be null.
import { createInterface } from 'node:readline'

const nested = (levels, wrap, inner) => Array.from({ length: levels }).reduce((text) => wrap(text), inner)
const object = (text) => `{"type":"object","properties":{"a":${text}}}`
const list = (text) => `{"type":"array","items":${text}}`

const schemas = {
  plain: '{"type":"object","properties":{"a":{"type":"string"}}}',
  nullable_root: '{"type":["object","null"],"properties":{"a":{"type":"string"}},"required":["a"]}',
  sixty: nested(60, object, '{"type":"string"}'),
  seventy: nested(70, object, '{"type":"string"}'),
  seventy_lists: object(nested(70, list, '{"type":"string"}')),
  thousands: nested(40_000, object, '{"type":"string"}'),
  deep_default: `{"type":"object","properties":{"a":{"default":${'['.repeat(30_000)}${']'.repeat(30_000)}}}}`,
  many_digits: '{"type":"object","properties":{"a":{"type":"integer","maximum":18446744073709551615}}}',
}
const tools = Object.entries(schemas).map(([name, schema]) => `{"name":"${name}","inputSchema":${schema}}`)

const results = {
  initialize: ({ protocolVersion }) =>
    JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }),
  'tools/list': () => `{"tools":[${tools.join(',')}]}`,
  'tools/call': ({ name }) => JSON.stringify({ content: [{ type: 'text', text: name }] }),
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    const answer = results[method]
      ? `"result":${results[method](params)}`
      : '"error":{"code":-32601,"message":"Method not found"}'
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}\n`)
  })
  .on('close', () => process.exit())

// An MCP server over HTTP, legacy era, without any SDK: `boom` is answered with HTTP status 500, `echo` as it should be.
import { createServer } from 'node:http'

const tool = (name) => ({ name, description: name, inputSchema: { type: 'object' } })
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'failing', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: ['boom', 'echo'].map(tool) }),
  'tools/call': ({ name }) => (name === 'boom' ? undefined : { content: [{ type: 'text', text: 'well' }] }),
}

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  let text = ''
  for await (const chunk of request) text += chunk
  const { id, method, params } = JSON.parse(text)
  if (id === undefined) return response.writeHead(202).end()
  const answer = results[method]?.(params ?? {})
  if (method === 'tools/call' && !answer) return response.writeHead(500).end('out of order')
  const body = answer ? { result: answer } : { error: { code: -32601, message: 'Method not found' } }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
})
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }))
process.on('disconnect', () => process.exit())

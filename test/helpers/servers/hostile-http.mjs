import { createServer } from 'node:http'
import { createGzip } from 'node:zlib'
import { answerOf, floods } from './flood.mjs'

const tools = ['huge', 'endless', 'deep', 'bomb', 'endless_events']

const flood = (name, id, response) => {
  if (name === 'endless_events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: ')
    return floods.endless(response)
  }
  if (name === 'bomb') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    const zipped = createGzip()
    zipped.pipe(response)
    response.on('close', () => zipped.destroy())
    return floods.huge(zipped, id).then(() => zipped.end())
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  return floods[name](response, id).then(() => response.end())
}

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  let body = ''
  for await (const chunk of request) body += chunk
  const message = JSON.parse(body)
  if (message.id === undefined) return response.writeHead(202).end()
  if (message.method === 'tools/call') return flood(message.params.name, message.id, response)
  const result = answerOf(message, tools)
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }))
})
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }))
process.on('disconnect', () => process.exit())

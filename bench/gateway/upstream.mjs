// The cheapest server that still is one, so that the gateways and not it are measured: `http COUNT [PORT]` or `stdio COUNT`.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { answerOf, toolsOf } from './tools.mjs'

const [kind, count] = [process.argv[2], Number(process.argv[3] ?? 1)]
const tools = toolsOf(count)
const listed = JSON.stringify(answerOf({ method: 'tools/list' }, tools))

// Written once for each that is asked for: it takes longer to make than to send.
const long = new Map()
const longOf = (message) => {
  const { bytes, chinese } = message.params.arguments
  const key = `${bytes} ${chinese}`
  if (!long.has(key)) long.set(key, JSON.stringify(answerOf(message, tools)))
  return long.get(key)
}

const resultOf = (message) => {
  if (message.method === 'tools/list') return listed
  if (message.method === 'tools/call' && message.params.name === 'big') return longOf(message)
  return JSON.stringify(answerOf(message, tools))
}

const answer = (message) => {
  const result = resultOf(message)
  return result === undefined
    ? `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"error":{"code":-32601,"message":"Method not found"}}`
    : `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`
}

if (kind === 'stdio') {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line)
      const isHung = process.env.HANGS !== undefined && message.method === 'tools/call'
      if (message.id !== undefined && !isHung) process.stdout.write(`${answer(message)}\n`)
    })
    .on('close', () => process.exit())
} else {
  const server = createServer((incoming, outgoing) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      // Sessions' own stream, and their end: there are none.
      if (incoming.method !== 'POST') return outgoing.writeHead(405).end()
      const body = Buffer.concat(chunks).toString()
      const message = body === '' ? {} : JSON.parse(body)
      if (message.id === undefined) return outgoing.writeHead(202).end()
      // An open stream, since gateways want to listen; it says nothing.
      if (message.method === 'subscriptions/listen') {
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
        return outgoing.write(
          `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } })}\n\n`,
        )
      }
      const text = answer(message)
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      outgoing.end(text)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(Number(process.argv[4] ?? 0), '127.0.0.1', () => process.send({ port: server.address().port }))
  process.on('disconnect', () => process.exit())
}

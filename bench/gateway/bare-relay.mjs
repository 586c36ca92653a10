// The floor: parse, route by the first part of the name, relay. No rules, no schemas, no bounds, no sessions.
// Arguments: JSON of { name: { url } | { command, args } }.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { request as messageOf, version } from './tools.mjs'

const overHttp = ({ url }) => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 256 })
  return async (method, params, text) => {
    const { body } = await pool.request({
      path: pathname,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(params?.name ? { 'mcp-name': params.name } : {}),
      },
      body: text,
    })
    return JSON.parse(await body.text()).result
  }
}

const overStdio = ({ command, args }) => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line)
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  process.on('exit', () => child.kill())
  return (_method, _params, text, id) =>
    new Promise((resolve) => {
      waiting.set(id, resolve)
      child.stdin.write(`${text}\n`)
    })
}

const upstreams = new Map()
for (const [name, how] of Object.entries(JSON.parse(process.argv[2])))
  upstreams.set(name, how.url ? overHttp(how) : overStdio(how))

let lastId = 0
const ask = (upstream, method, params) => {
  const id = ++lastId
  return upstream(method, params, messageOf(id, method, params), id)
}

const lists = await Promise.all(
  [...upstreams].map(async ([name, upstream]) => {
    const { tools } = await ask(upstream, 'tools/list')
    return tools.map((tool) => ({ ...tool, name: `${name}.${tool.name}` }))
  }),
)
const listed = JSON.stringify({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: lists.flat() })

const relay = async ({ method, params }) => {
  if (method === 'tools/list') return listed
  const cut = params.name.indexOf('.')
  const inner = { name: params.name.slice(cut + 1), arguments: params.arguments }
  return JSON.stringify(await ask(upstreams.get(params.name.slice(0, cut)), method, inner))
}

const server = createServer((incoming, outgoing) => {
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', async () => {
    const message = JSON.parse(Buffer.concat(chunks).toString())
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${await relay(message)}}`
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    outgoing.end(text)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit())

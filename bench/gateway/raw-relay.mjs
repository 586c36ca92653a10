// The least that a relay on Node must do: the request is parsed to be routed, the answer's bytes pass unparsed under the
// caller's id. No rules, no bounds, no recovery. Arguments: JSON of { name: { url } | { command, args } }.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { request as messageOf, version } from './tools.mjs'

const overHttp = ({ url }) => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 256 })
  return (id, method, params, done) => {
    const chunks = []
    const headers = [
      ...['content-type', 'application/json', 'accept', 'application/json, text/event-stream'],
      ...['mcp-protocol-version', version, 'mcp-method', method],
    ]
    if (params?.name) headers.push('mcp-name', params.name)
    const body = messageOf(id, method, params)
    pool.dispatch(
      { path: pathname, method: 'POST', headers, body },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
        onResponseError: (_controller, error) => {
          throw error
        },
      },
    )
  }
}

const overStdio = ({ command, args }) => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  let parts = []
  child.stdout.on('data', (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      start = end + 1
      const id = Number(/"id":(\d+)/.exec(line.toString('latin1', 0, 64))[1])
      waiting.get(id)(line)
      waiting.delete(id)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  process.on('exit', () => child.kill())
  return (id, method, params, done) => {
    waiting.set(id, done)
    child.stdin.write(`${messageOf(id, method, params)}\n`)
  }
}

const upstreams = new Map()
for (const [name, how] of Object.entries(JSON.parse(process.argv[2])))
  upstreams.set(name, how.url ? overHttp(how) : overStdio(how))

let lastId = 0
const ask = (upstream, method, params, done) => upstream(++lastId, method, params, done)

const lists = await Promise.all(
  [...upstreams].map(async ([name, upstream]) => {
    const answer = await new Promise((resolve) => ask(upstream, 'tools/list', undefined, resolve))
    return JSON.parse(answer).result.tools.map((tool) => ({ ...tool, name: `${name}.${tool.name}` }))
  }),
)
const listed = Buffer.from(
  `${JSON.stringify({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: lists.flat() })}}`,
)

const mark = Buffer.from('"result":')

const relay = ({ method, params }, done) => {
  if (method === 'tools/list') return done(listed)
  const cut = params.name.indexOf('.')
  const inner = { name: params.name.slice(cut + 1), arguments: params.arguments }
  const upstream = upstreams.get(params.name.slice(0, cut))
  ask(upstream, method, inner, (answer) => done(answer.subarray(answer.indexOf(mark) + mark.length)))
}

const server = createServer((incoming, outgoing) => {
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString())
    // The rest of the answer ends with the brace of the envelope.
    relay(message, (rest) => {
      const head = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`
      const length = Buffer.byteLength(head) + rest.length
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
      outgoing.cork()
      outgoing.write(head)
      outgoing.end(rest)
      outgoing.uncork()
    })
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit())

// What the HTTP host adds to a bare node:http server: requests per second and CPU µs per request of the server's process.
// Both servers run as children; one load generator; rounds interleaved, medians. `npm run build` first.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { median, table } from './measure.mjs'

const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}'
const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}]}}'
const kinds = ['bare', 'bare, headers read', 'host', 'host + token', 'host + page']

const bare = async (readsHeaders) => {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const parts = []
    // What every face does; Node builds the object on first use.
    if (readsHeaders && request.headers.host === undefined) return
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      parts.length === 1 ? parts[0] : Buffer.concat(parts)
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length })
      response.end(answer)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server.address().port
}

const hosted = async (token) => {
  const { createHttpHost } = await import('../dist/http/host.js')
  const { createAuthenticator } = await import('../dist/http/auth-loopback.js')
  const { sendBody } = await import('../dist/http/answer.js')
  const host = createHttpHost({ authenticate: createAuthenticator({ token, openLoopback: true }) })
  const handle = async (exchange) => {
    await exchange.readBody()
    sendBody(exchange.response, 200, 'application/json', answer)
  }
  host.addRoutes([{ method: 'POST', path: '/mcp', right: 'call', ownHeaders: true, handle }])
  return (await host.listen({ port: 0 })).port
}

const serve = async (kind) => {
  const port = await (kind.startsWith('bare')
    ? bare(kind !== 'bare')
    : hosted(kind === 'host + token' ? 'a-token-of-length' : undefined))
  let before = process.cpuUsage()
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    process.send(user + system)
  })
  process.send(port)
}

/** Raw sockets with prepared bytes: an HTTP client would cost more than the servers. */
const load = async (port, count, concurrency, extra) => {
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nUser-Agent: bench\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`
  let left = count
  const one = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const next = () => (left-- > 0 ? socket.write(head) : socket.destroy())
    let seen = ''
    socket.on('data', (part) => {
      seen += part.toString('latin1')
      if (!seen.includes(answer)) return
      if (!seen.startsWith('HTTP/1.1 200')) throw new Error(seen)
      seen = ''
      next()
    })
    next()
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: concurrency }, one))
}

const main = async () => {
  const [count, rounds] = [Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 9)]
  const extras = { 'host + token': 'Authorization: Bearer a-token-of-length\r\n' }
  const servers = []
  for (const kind of kinds) {
    const child = fork(fileURLToPath(import.meta.url), ['serve', kind])
    const [port] = await once(child, 'message')
    servers.push({
      kind,
      child,
      port,
      cpu: [],
      rate: [],
      extra: kind.includes('page') ? `Origin: http://127.0.0.1:${port}\r\n` : (extras[kind] ?? ''),
    })
    await load(port, count, 64, servers.at(-1).extra)
  }
  const cpu = async (child) => {
    child.send('cpu')
    return (await once(child, 'message'))[0]
  }
  for (let round = 0; round < rounds; round++)
    for (const server of servers) {
      await cpu(server.child)
      const startedAt = performance.now()
      await load(server.port, count, 64, server.extra)
      server.rate.push(count / ((performance.now() - startedAt) / 1000))
      server.cpu.push((await cpu(server.child)) / count)
    }
  for (const { child } of servers) child.kill()
  const floor = median(servers[0].cpu)
  table(
    `POST with a small body at concurrency 64, ${rounds} rounds of ${count}`,
    ['server', 'requests/s', 'CPU µs/request', 'above bare'],
    servers.map(({ kind, rate, cpu: used }) => [
      kind,
      Math.round(median(rate)),
      median(used).toFixed(1),
      (median(used) - floor).toFixed(1),
    ]),
  )
}

await (process.argv[2] === 'serve' ? serve(process.argv[3]) : main())

// One process with every hostile server that is reached by an address: /http/DEED, /sse/DEED, /ws/DEED and those that
// break the carrier itself. Sends its port; ends with its parent.
import { createServer } from 'node:http'
import { createGzip } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { converse } from './hostile.mjs'

const bodyOf = async (request) => {
  let body = ''
  for await (const part of request) body += part
  return body
}
/** There is room again, or nobody reads any more. */
const roomIn = (response) =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
const writer = (response, frame) => {
  const raw = async (text) => {
    if (response.destroyed) return
    if (!response.write(frame(text))) await roomIn(response)
  }
  return {
    raw,
    say: (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...message })),
    isOpen: () => !response.destroyed && !response.writableEnded,
  }
}
const event = (text) => `data: ${text.replaceAll('\n', ' ')}\n\n`

const overHttp = async (deed, request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  const message = JSON.parse(await bodyOf(request))
  if (message.id === undefined) return response.writeHead(202).end()
  const streams = message.method === 'tools/call'
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
  await converse(deed, writer(response, streams ? event : (text) => text))(message)
  if (deed !== 'never') response.end()
}

const sseSessions = new Map()
const overSse = async (deed, request, response) => {
  if (request.method === 'GET') {
    const id = String(sseSessions.size)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: endpoint\ndata: /sse/${deed}?session=${id}\n\n`)
    sseSessions.set(
      id,
      converse(
        deed,
        writer(response, (text) => `event: message\n${event(text)}`),
      ),
    )
    return
  }
  const message = JSON.parse(await bodyOf(request))
  response.writeHead(202).end()
  await sseSessions.get(new URL(request.url, 'http://x').searchParams.get('session'))?.(message)
}

/** Where the carrier itself is the attack. */
const broken = {
  redirect: (_request, response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  unauthorized: (_request, response) =>
    response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://169.254.169.254/x"' }).end(),
  html: (_request, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'.repeat(10_000)),
  gzip: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    const zipped = createGzip()
    zipped.pipe(response)
    const piece = Buffer.alloc(1 << 20, 0x20)
    let left = 256
    const more = () => {
      while (left-- > 0) if (!zipped.write(piece)) return zipped.once('drain', more)
      zipped.end()
    }
    response.on('close', () => zipped.destroy())
    zipped.on('error', () => {})
    more()
  },
  headers: (_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'mcp-session-id': 'x'.repeat(5000),
        'x-wide': 'y'.repeat(8000),
      })
      .end('{}'),
  slow: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 500)
    response.on('close', () => clearInterval(drip))
  },
  cut: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"jsonrpc"')
    response.destroy()
  },
  no_type: (_request, response) => response.writeHead(200).end('not json'),
  foreign_endpoint: (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: endpoint\ndata: http://169.254.169.254/steal\n\n')
  },
  endless_event: (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const more = () => {
      while (!response.destroyed) if (!response.write('data: '.padEnd(65_536, 'x'))) return response.once('drain', more)
    }
    more()
  },
}

const server = createServer(async (request, response) => {
  response.on('error', () => {})
  const [, carrier, deed] = new URL(request.url, 'http://x').pathname.split('/')
  try {
    if (carrier === 'broken') return broken[deed](request, response)
    await (carrier === 'sse' ? overSse : overHttp)(deed, request, response)
  } catch {
    response.destroy()
  }
})

const frames = {
  huge_frame: Buffer.from([0x81, 127, 0, 0, 0, 1, 0x40, 0, 0, 0]),
  reserved: Buffer.from([0xf1, 1, 0x61]),
  bad_utf8: Buffer.from([0x81, 2, 0xc3, 0x28]),
  masked: Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0x60]),
  bad_close: Buffer.from([0x88, 2, 0, 5]),
  fragments: Buffer.concat([
    Buffer.from([0x01, 1, 0x7b]),
    ...Array.from({ length: 50_000 }, () => Buffer.from([0x00, 1, 0x20])),
  ]),
  pings: Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([0x89, 0]))),
}
const sockets = new WebSocketServer({ server, handleProtocols: (offered) => offered.has('mcp') && 'mcp' })
sockets.on('connection', (socket, request) => {
  const deed = request.url.split('/').at(-1)
  socket.on('error', () => {})
  if (Object.hasOwn(frames, deed)) return socket._socket.write(frames[deed])
  const raw = (text) => new Promise((resolve) => socket.send(text, () => resolve()))
  const out = {
    raw,
    say: (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...message })),
    isOpen: () => socket.readyState === 1,
  }
  const answer = converse(deed, out)
  socket.on('message', (data) => void answer(JSON.parse(String(data))))
})

server.listen(0, '127.0.0.1', () =>
  process.send({ port: server.address().port, carriers: Object.keys(broken), frames: Object.keys(frames) }),
)
process.on('disconnect', () => process.exit())

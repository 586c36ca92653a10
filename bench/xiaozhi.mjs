// What the xiaozhi carrier adds to a bare WebSocket: frame in → tool → frame out, beside an echo in the same run.
// One far side on loopback, rounds interleaved, one request at a time as a voice has it. `npm run build` first.
import { once } from 'node:events'
import { WebSocket, WebSocketServer } from 'ws'
import { createMcpFace } from '../dist/faces/mcp/face.js'
import { createXiaozhiCarrier } from '../dist/faces/mcp/xiaozhi/carrier.js'
import { createGateway, defineTool } from '../dist/index.js'
import { systemClock } from '../dist/model/clock.js'
import { silentLogger } from '../dist/telemetry/logger.js'
import { table } from './measure.mjs'

const [count, rounds] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 9)]

const hits = (bytes) =>
  Array.from({ length: Math.ceil(bytes / 120) }, (_, rank) => ({
    title: `Result ${rank}`,
    text: 'Some words about it. '.repeat(4),
  }))
const input = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }
const tools = [
  defineTool({ name: 'add', input, handler: ({ a, b }) => String(a + b) }),
  defineTool({ name: 'search_10k', handler: () => hits(10_000) }),
  defineTool({ name: 'search_1m', handler: () => hits(1_000_000) }),
]

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
await once(server, 'listening')
const url = `ws://127.0.0.1:${server.address().port}/?token=bench-token`
const visit = async (dial) => {
  const visiting = once(server, 'connection')
  dial()
  return (await visiting)[0]
}

const gateway = createGateway({ tools })
const face = createMcpFace({ gateway, serverInfo: { name: 'bench', version: '0' }, clock: systemClock })
const carrier = createXiaozhiCarrier({
  face,
  clock: systemClock,
  logger: silentLogger,
  initialBackoffMs: 1000,
  maxBackoffMs: 60_000,
  endpoints: [
    {
      url,
      profile: 'default',
      view: { naming: { style: 'safe', namespacing: true, collisions: 'hash' }, expose: 'flat' },
      maxResultBytes: 1024,
      maxListBytes: 10_240,
    },
  ],
})
const echo = new WebSocket(`${url}&echo`, { perMessageDeflate: false })
echo.on('message', (data) => echo.send(data, { binary: false }))
const echoSide = await visit(() => {})
const linkSide = await visit(() => carrier.start())

const call = (name, args) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const rows = [
  { name: 'bare ws echo', socket: echoSide, frame: call('add', { a: 1, b: 2 }) },
  { name: 'ping', socket: linkSide, frame: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
  { name: 'add', socket: linkSide, frame: call('add', { a: 1, b: 2 }) },
  { name: 'tools/list', socket: linkSide, frame: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
  { name: '10 KB of JSON into 1024 B', socket: linkSide, frame: call('search_10k', {}) },
  { name: '1 MB of JSON into 1024 B', socket: linkSide, frame: call('search_1m', {}), share: 0.05 },
]

const time = async ({ socket, frame, share = 1 }, samples) => {
  for (let index = 0; index < Math.max(10, count * share); index++) {
    const answered = new Promise((resolve) => socket.once('message', resolve))
    const startedAt = performance.now()
    socket.send(frame)
    await answered
    samples.push(performance.now() - startedAt)
  }
}
for (const row of rows) await time(row, [])
const samples = rows.map(() => [])
for (let round = 0; round < rounds; round++) for (const [index, row] of rows.entries()) await time(row, samples[index])

const at = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]
const floor = at(samples[0], 0.5)
table(
  `One request at a time over loopback, ${rounds} interleaved rounds of ${count}`,
  ['case', 'p50 ms', 'p99 ms', 'p50 above echo ms'],
  rows.map(({ name }, index) => [
    name,
    at(samples[index], 0.5).toFixed(3),
    at(samples[index], 0.99).toFixed(3),
    (at(samples[index], 0.5) - floor).toFixed(3),
  ]),
)

await carrier.close()
face.close()
await gateway.close()
echo.terminate()
server.close()

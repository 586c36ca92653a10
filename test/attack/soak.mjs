// A soak: npm run soak [-- --minutes 20] [--rate 300]
// Steady calls while sessions come and go, the configuration is reloaded and a source is killed every 30 s. On loopback
// only; ends only what it started. Exit code 1 where a claim does not hold.
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { parseArgs } from 'node:util'
import { table } from '../../bench/measure.mjs'
import { showClaims } from '../../bench/run.mjs'
import { makeKeys, startGateway, stdioServer } from './gateway.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
})
const [minutes, rate] = [Number(values.minutes), Number(values.rate)]
if (values.help || !(minutes >= 1 && minutes <= 480) || !(rate >= 1 && rate <= 5000)) {
  console.log('npm run soak -- [--minutes 1…480, default 20] [--rate 1…5000 calls a second, default 300]')
  process.exit(values.help ? 0 : 2)
}

// Equal commands would share one process.
const sources = { up: stdioServer('board.mjs'), fragile: stdioServer('board.mjs', 'fragile') }
const gateway = await startGateway({ sources, profiles: { default: {} } }, { nodeArgs: ['--expose-gc'] })
const { caller } = await makeKeys(gateway, { caller: { permission: 'read' } })
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const post = (body, headers = {}, method = 'POST') =>
  new Promise((resolve) => {
    const asked = httpRequest(
      `${gateway.url}/mcp`,
      {
        method,
        agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${caller}`,
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => (text += part))
        response.on('end', () =>
          resolve({ status: response.statusCode, session: response.headers['mcp-session-id'], text }),
        )
      },
    )
    asked.on('error', (error) => resolve({ status: 0, text: error.message }))
    asked.end(body === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...body }))
  })
const call = (name, args, headers) => post({ id: 1, method: 'tools/call', params: { name, arguments: args } }, headers)

const counts = { calls: 0, explained: 0, sessions: 0, reloads: 0, kills: 0 }
const unexplained = new Map()
const latencies = new Float32Array(Math.ceil(minutes * 60 * rate) + rate)
let measured = 0
/** A killed source takes its calls along and says so until it is back: longer each time, since it is killed so often. */
const killShows = /ended by SIGKILL|is (?:crash-loop|backing-off|starting|connecting)|circuit/i

const once = async (name, headers) => {
  const nonce = `n${counts.calls++}`
  const startedAt = performance.now()
  const { status, text } = await call(`${name}.echo`, { nonce }, headers)
  latencies[measured++ % latencies.length] = performance.now() - startedAt
  if (status === 200 && text.includes(nonce)) return
  if (name === 'fragile' && status === 200 && killShows.test(text)) return void counts.explained++
  const what = `${name}: ${status} ${text.replaceAll(/n\d+|\d+/g, '#').slice(0, 160)}`
  unexplained.set(what, (unexplained.get(what) ?? 0) + 1)
}

const open = async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } }
  const { session } = await post({ id: 0, method: 'initialize', params })
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  await once('up', headers)
  // Every other one is left to its time.
  if (counts.sessions++ % 2 === 0) await post(undefined, headers, 'DELETE')
}
const reload = () => {
  const config = JSON.parse(readFileSync(gateway.file, 'utf8'))
  config.profiles.default.description = `Reload ${++counts.reloads}`
  if (counts.reloads % 2) config.sources.coming = stdioServer('board.mjs', 'coming')
  else delete config.sources.coming
  writeFileSync(gateway.file, JSON.stringify(config))
}
const kill = async () => {
  const { text } = await call('fragile.pid', {})
  const pid = Number(/"text":"(\d+)"/.exec(text)?.[1])
  if (!pid) return
  process.kill(pid, 'SIGKILL')
  counts.kills++
}

const startedAt = performance.now()
const timers = [
  setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate)
    for (let more = due - counts.calls; more > 0; more--) void once(more % 4 === 0 ? 'fragile' : 'up')
  }, 10),
  setInterval(() => void open(), 200),
  setInterval(reload, 20_000),
  setInterval(() => void kill(), 30_000),
]

const looks = []
const look = async () => {
  const { lag, heapMb, handles } = await gateway.look()
  const at = (performance.now() - startedAt) / 60_000
  looks.push({ at, lag, heapMb, handles, memory: gateway.memoryMb() })
  for (const [what, count] of unexplained) console.log(`  ${count} × ${what}`)
  console.log(
    `minute ${at.toFixed(1)}: heap ${heapMb.toFixed(1)} MB, memory ${gateway.memoryMb().toFixed(0)} MB, handles ${handles}, loop ${lag.toFixed(0)} ms, calls ${counts.calls}, unexplained ${[...unexplained.values()].reduce((a, b) => a + b, 0)}`,
  )
}
const looking = setInterval(() => void look(), 60_000)
await new Promise((resolve) => setTimeout(resolve, minutes * 60_000))
for (const timer of [...timers, looking]) clearInterval(timer)
await look()
agent.destroy()

const sorted = latencies.slice(0, Math.min(measured, latencies.length)).sort()
const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]
table(
  'Soak',
  ['calls', 'sessions', 'reloads', 'kills', 'explained', 'p50 ms', 'p99 ms', 'max ms'],
  [
    [
      ...['calls', 'sessions', 'reloads', 'kills', 'explained'].map((name) => String(counts[name])),
      at(0.5).toFixed(1),
      at(0.99).toFixed(1),
      at(1).toFixed(0),
    ],
  ],
)
for (const [what, count] of unexplained) console.log(`  ${count} × ${what}`)
const early = looks.find((each) => each.at >= Math.min(3, minutes / 3)) ?? looks[0]
const last = looks.at(-1)
const code = await gateway.stop()
process.exit(
  showClaims([
    { claim: 'unexplained errors', value: [...unexplained.values()].reduce((a, b) => a + b, 0), limit: 0, unit: '' },
    { claim: 'heap after collection ÷ that of minute 3', value: last.heapMb / early.heapMb, limit: 1.1, unit: '' },
    { claim: 'exit code', value: Number(code), limit: 0, unit: '' },
  ]),
)

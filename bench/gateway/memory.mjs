// What a running gateway holds: 10,200 tools from ten sources, idle and after load, and legacy sessions that nobody uses.
// Alone: npm run build && node bench/gateway/memory.mjs [--quick]
import { connect } from 'node:net'
import { pathToFileURL } from 'node:url'
import { table } from '../measure.mjs'
import { load, toBytes, toSessionBytes } from './load.mjs'
import { memoryMb, startGateway, startProgram, untilListed, upstreamCommand } from './processes.mjs'
import { request, version } from './tools.mjs'

const [sources, toolsEach] = [10, 1020]
const text = 'a text of the length that small answers have'

export const benchMemory = async ({ quick }) => {
  const upstream = await startProgram('upstream.mjs', 'http', String(toolsEach))
  const sourcesOf = (toSource) =>
    Object.fromEntries(Array.from({ length: sources }, (_, index) => [`source${index}`, toSource(index)]))
  const kinds = {
    HTTP: sourcesOf((index) => ({ type: 'http', url: `http://127.0.0.1:${upstream.port}/source${index}` })),
    stdio: sourcesOf((index) => ({ type: 'stdio', ...upstreamCommand(toolsEach, String(index)) })),
  }
  const held = {}
  for (const [kind, configured] of Object.entries(kinds)) held[kind] = await weighTools(configured, quick)
  const sessions = quick ? 5000 : 10_000
  const open = await weighSessions(upstream, sessions, quick)
  await upstream.stop()

  table(
    `RSS in MB: ${sources * toolsEach} tools from ${sources} sources`,
    ['sources', 'idle', 'after lists, calls and searches'],
    Object.entries(held).map(([kind, { idle, after }]) => [kind, idle.toFixed(0), after.toFixed(0)]),
  )
  table(
    `RSS in MB: ${sessions} idle sessions`,
    ['before', 'with them', 'KB each', 'still known'],
    [[open.before.toFixed(0), open.after.toFixed(0), open.kbEach.toFixed(2), open.known]],
  )
  return [
    ...Object.entries(held).flatMap(([kind, { idle, after }]) => [
      { claim: `memory with 10,200 tools, idle, ${kind}`, value: idle, limit: 140, unit: 'MB' },
      { claim: `memory with 10,200 tools after load, ${kind}`, value: after, limit: 170, unit: 'MB' },
    ]),
    { claim: 'memory of 10,000 idle sessions', value: (open.kbEach * 10_000) / 1024, limit: 40, unit: 'MB' },
    { claim: 'idle sessions that are still known', value: open.known / sessions, limit: 1, atLeast: true, unit: '×' },
  ]
}

/** A gateway that has only told its list once, and the same after everything that clients ask for. */
const weighTools = async (configured, quick) => {
  const gateway = await startGateway(configured)
  await untilListed(gateway, sources * toolsEach)
  const idle = await settled(gateway.pid, 14)
  await useEverything(gateway, quick ? 3000 : 10_000)
  const after = await settled(gateway.pid, 14)
  await gateway.stop()
  return { idle, after }
}

const useEverything = async (gateway, calls) => {
  const list = { concurrency: 2, ms: 1500, expected: 'source9.tool_' }
  await load(gateway, toBytes(gateway, 'tools/list'), list)
  await load(gateway, await toSessionBytes(gateway, 'tools/list', {}), list)
  for (const tool of ['source0.echo', 'source3.tool_7', 'source9.tool_1000']) {
    const params = { name: tool, arguments: { text } }
    for (const bytes of [toBytes(gateway, 'tools/call', params), await toSessionBytes(gateway, 'tools/call', params)])
      for (let made = 0; made < calls / 6; )
        made += (await load(gateway, bytes, { concurrency: 32, ms: 250, expected: text })).calls
  }
  for (const query of ['piece of work 77', 'sentence', 'source4', 'gives the text back', 'echo'])
    await search(gateway, query)
}

const search = async ({ port }, query) => {
  const params = { name: 'search_tools', arguments: { query } }
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'search_tools',
    },
    body: request(1, 'tools/call', params),
  })
  const { result } = await response.json()
  if (!result?.content) throw new Error(`The search for '${query}' was not answered.`)
}

/** What sessions add, each begun by a client that then does nothing; over few connections, since those cost by themselves. */
const weighSessions = async (upstream, count, quick) => {
  // All of them are one caller's here.
  const server = { limits: { maxSessionsPerCaller: 100_000 } }
  const sources = { up: { type: 'http', url: `http://127.0.0.1:${upstream.port}/mcp` } }
  const gateway = await startGateway(sources, undefined, undefined, { server })
  await untilListed(gateway, toolsEach)
  // Code and buffers of the handshake are there from the first ones on, whoever comes later.
  await beginSessions(gateway, quick ? 500 : 1000)
  const before = await settled(gateway.pid, 5)
  const ids = await beginSessions(gateway, count)
  const after = await settled(gateway.pid, 5)
  const known = await countKnown(gateway, ids)
  await gateway.stop()
  return { before, after, kbEach: ((after - before) * 1024) / count, known }
}

const beginSessions = async (gateway, count) => {
  const clientInfo = { name: 'bench', version: '1' }
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
    clientInfo,
  }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const ids = []
  await overConnections(gateway, count, async (ask) => {
    const head = await ask('', hello)
    const id = /mcp-session-id: (\S+)/i.exec(head)?.[1]
    if (id === undefined) throw new Error(`No session: ${head}`)
    ids.push(id)
    await ask(sessionHeaders(id), JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  })
  return ids
}

/** How many of these sessions the gateway still knows. */
const countKnown = async (gateway, ids) => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  let known = 0
  let next = 0
  await overConnections(gateway, ids.length, async (ask) => {
    const head = await ask(sessionHeaders(ids[next++]), ping)
    if (head.startsWith('HTTP/1.1 200')) known += 1
  })
  return known
}

const sessionHeaders = (id) => `Mcp-Session-Id: ${id}\r\nMCP-Protocol-Version: 2025-11-25\r\n`

const overConnections = async ({ port }, count, work) => {
  let left = count
  const one = async () => {
    const socket = connect(port, '127.0.0.1')
    const ask = (headers, body) =>
      new Promise((resolve, reject) => {
        let got = ''
        const onData = (chunk) => {
          got += chunk.toString('latin1')
          const end = got.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0)
          if (got.length < end + 4 + length) return
          socket.off('data', onData)
          socket.off('error', reject)
          resolve(got)
        }
        socket.once('error', reject)
        socket.on('data', onData)
        socket.write(
          `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
            `Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        )
      })
    while (left-- > 0) await work(ask)
    socket.destroy()
  }
  await Promise.all(Array.from({ length: 8 }, one))
}

/** What is resident once nothing moves any more. At rest a gateway collects garbage, some seconds after the last work. */
const settled = async (pid, seconds) => {
  let last = memoryMb(pid) ?? Number.NaN
  for (let quiet = 0, looks = 0; (quiet < 7 || looks < seconds) && looks < 40; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = memoryMb(pid) ?? Number.NaN
    quiet = Math.abs(now - last) < 1 ? quiet + 1 : 0
    last = now
  }
  return last
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { showClaims } = await import('../run.mjs')
  process.exitCode = showClaims(await benchMemory({ quick: process.argv.includes('--quick') }))
}

// One caller's floods: forked, so that the attacker has a process of its own, at the lowest priority since on two cores
// it would otherwise take the victims' time by being here, not by what it sends.
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { bombs } from './bombs-list.mjs'

setPriority(19)
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let url
let key

const send = (path, body, headers = {}) =>
  new Promise((resolve) => {
    const target = new URL(path, url)
    const asked = httpRequest(
      target,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${key}`,
          ...headers,
        },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
        response.on('error', () => resolve(0))
      },
    )
    asked.on('error', () => resolve(0))
    asked.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
const rpc = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params })
const call = (name, args) => rpc('tools/call', { name, arguments: args })
const initialize = (more = {}) =>
  rpc('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'flood', version: '1' },
    ...more,
  })

const streams = new Set()
const stream = (path, headers, body) => {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  streams.add(socket)
  socket.on('error', () => {})
  socket.resume()
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Authorization: `Bearer ${key}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.write(
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${lines.join('')}${body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''}\r\n${body ?? ''}`,
  )
  return Promise.resolve(0)
}
const listen = (n) => {
  const resources = Array.from({ length: 1000 }, (_, i) => `far:///pub/${n}-${i}`)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'flood', version: '1' },
  }
  const body = JSON.stringify(
    rpc('subscriptions/listen', { notifications: { resourceSubscriptions: resources }, resources, _meta }),
  )
  return stream(
    '/mcp',
    {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'subscriptions/listen',
    },
    body,
  )
}

const wide = 'w'.repeat(1_000_000)
const numbers = Array.from({ length: 190_000 }, (_, i) => i * 1.25e10)
// Those that cost by their schema; what costs by its size has floods of its own.
const small = bombs.filter(({ arguments: args }) => JSON.stringify(args).length < 65_536)
const bombOf = (n) => {
  const { name, arguments: args } = small[n % small.length]
  return { tool: `bomb.${name}`, arguments: args }
}

/** By name: how many a second, at most how many, and what each is. */
const floods = {
  'slow calls of one tool': { rate: 300, most: 1500, send: () => send('/mcp', call('up.slow', { ms: 8000 })) },
  sessions: { rate: 400, most: 2000, send: () => send('/mcp', initialize()) },
  'sessions with wide capabilities': {
    rate: 10,
    most: 60,
    send: () => send('/mcp', initialize({ capabilities: { experimental: { wide } } })),
  },
  'streams of events': { rate: 100, most: 400, send: () => stream('/api/v1/events', { Accept: 'text/event-stream' }) },
  'streams of 1,000 addresses': { rate: 20, most: 100, send: listen },
  'batches of 128 slow calls': {
    rate: 10,
    most: 60,
    send: () =>
      send('/api/v1/calls', {
        calls: Array.from({ length: 128 }, () => ({ tool: 'up.slow', arguments: { ms: 5000 } })),
      }),
  },
  'schema bombs': { rate: 20, most: 100, send: (n) => send('/mcp', call(bombOf(n).tool, bombOf(n).arguments)) },
  'batches of schema bombs': {
    rate: 4,
    most: 20,
    send: (n) => send('/api/v1/calls', { calls: Array.from({ length: 16 }, (_, i) => bombOf(16 * n + i)) }),
  },
  'bodies of a megabyte': { rate: 15, most: 120, send: () => send('/mcp', call('far.echo', { wide })) },
  'bodies of three megabytes of numbers': {
    rate: 5,
    most: 40,
    send: () => send('/mcp', call('far.echo', { numbers })),
  },
  'answers of a megabyte': { rate: 15, most: 120, send: () => send('/mcp', call('far.big', { bytes: 1_000_000 })) },
  'quick calls': { rate: 500, most: 5000, send: () => send('/mcp', call('up.echo', { x: 1 })) },
  lists: { rate: 100, most: 1000, send: () => send('/mcp', rpc('tools/list', {})) },
  searches: {
    rate: 100,
    most: 1000,
    send: (n) => send('/mcp', call('search_tools', { query: `send a mail about ${n} ${'word '.repeat(100)}` })),
  },
  'unknown tools': { rate: 300, most: 3000, send: (n) => send('/mcp', call(`no.such_${n}`, {})) },
  'wrong keys': {
    rate: 100,
    most: 1000,
    send: (n) => send('/mcp', rpc('ping', {}), { authorization: `Bearer wrong-${n}` }),
  },
}

let timer
const begin = ({ name }) => {
  const { rate, most, send: one } = floods[name]
  const statuses = {}
  let sent = 0
  const startedAt = performance.now()
  timer = setInterval(() => {
    const due = Math.min(most, Math.floor(((performance.now() - startedAt) / 1000) * rate))
    while (sent < due) void one(sent++).then((status) => (statuses[status] = (statuses[status] ?? 0) + 1))
  }, 10)
  return () => ({ sent, statuses })
}

let result = () => ({})
process.on('message', (message) => {
  if (message.url) ({ url, key } = message)
  if (message.begin) result = begin({ name: message.begin })
  if (message.end) {
    clearInterval(timer)
    for (const socket of streams) socket.destroy()
    streams.clear()
    agent.destroy()
    process.send(result())
  }
})
process.on('disconnect', () => process.exit())
process.send({ floods: Object.keys(floods) })

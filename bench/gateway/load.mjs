// Raw sockets with prepared bytes: an HTTP client would cost more than the servers.
import { once } from 'node:events'
import { connect } from 'node:net'
import { request, version } from './tools.mjs'

/** The bytes of one request. */
export const toBytes = (target, method, params) => {
  const name = params?.name ? `Mcp-Name: ${params.name}\r\n` : ''
  const headers = `MCP-Protocol-Version: ${version}\r\nMcp-Method: ${method}\r\n${name}`
  return post(target, headers, request(1, method, params))
}

/** The same in a session, which is begun here. */
export const toSessionBytes = async (target, method, params) => {
  const say = (id, method, params, session = {}) =>
    fetch(`http://127.0.0.1:${target.port}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params }),
    })
  const clientInfo = { name: 'bench', version: '1' }
  const hello = await say(0, 'initialize', { protocolVersion: legacyVersion, capabilities: {}, clientInfo })
  await hello.text()
  const session = { 'mcp-session-id': hello.headers.get('mcp-session-id'), 'mcp-protocol-version': legacyVersion }
  await (await say(undefined, 'notifications/initialized', {}, session)).text()
  const headers = Object.entries(session).map(([name, value]) => `${name}: ${value}\r\n`)
  return post(target, headers.join(''), JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
}

const legacyVersion = '2025-11-25'

const post = ({ port, path = '/mcp' }, headers, body) =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

/**
 * Sends these bytes over and over, so many at once, until the time is up; every answer must hold `expected`. With
 * `perSecond` by the clock: a connection that fell behind sends at once, one that is early waits.
 */
export const load = async ({ port }, bytes, { concurrency, ms, expected, perSecond }) => {
  const latencies = []
  const startedAt = performance.now()
  const endAt = startedAt + ms
  const one = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    await once(socket, 'connect')
    const reader = createReader()
    const stepMs = perSecond === undefined ? 0 : (concurrency * 1000) / perSecond
    for (let due = performance.now() + Math.random() * stepMs; performance.now() < endAt; due += stepMs) {
      const early = due - performance.now()
      if (stepMs > 0 && early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      latencies.push(await exchange(socket, reader, bytes, expected))
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return { calls: latencies.length, perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) }
}

/** One request and its whole answer; the milliseconds it took. */
const exchange = (socket, reader, bytes, expected) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const onData = (chunk) => {
      const answer = reader(chunk)
      if (answer === undefined) return
      socket.off('data', onData)
      if (answer.includes(expected)) resolve(performance.now() - startedAt)
      else reject(new Error(`An answer without ${expected}: ${answer.toString('utf8', 0, 2000)}`))
    }
    socket.on('data', onData)
    socket.write(bytes)
  })

/** Bytes in, whole answers out: by length, or by the last chunk. */
const createReader = () => {
  let parts = []
  let size = 0
  let needed = 0
  let chunked = false
  return (chunk) => {
    parts.push(chunk)
    size += chunk.length
    if (needed === 0 && !chunked) {
      if (parts.length > 1) parts = [Buffer.concat(parts)]
      const head = parts[0].indexOf('\r\n\r\n')
      if (head < 0) return undefined
      const text = parts[0].toString('latin1', 0, head)
      const length = /content-length: (\d+)/i.exec(text)
      if (length) needed = head + 4 + Number(length[1])
      else chunked = true
    }
    if (needed > 0 ? size < needed : !endsChunks(parts)) return undefined
    // Of a long answer only the end is looked at, or the reader would be what is measured.
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts.slice(-2))
    parts = []
    size = 0
    needed = 0
    chunked = false
    return whole
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

const endsChunks = (parts) => {
  const last = parts.at(-1)
  if (last.length >= lastChunk.length) return last.subarray(-lastChunk.length).equals(lastChunk)
  return Buffer.concat(parts.slice(-5)).subarray(-lastChunk.length).equals(lastChunk)
}

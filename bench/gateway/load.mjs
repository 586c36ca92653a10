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
export const toSessionBytes = async (target, method, params = {}) => {
  const say = (id, method, params, session = {}) =>
    fetch(`http://127.0.0.1:${target.port}${target.path ?? '/mcp'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params }),
    })
  const clientInfo = { name: 'bench', version: '1' }
  const hello = await say(0, 'initialize', { protocolVersion: legacyVersion, capabilities: {}, clientInfo })
  await hello.text()
  const id = hello.headers.get('mcp-session-id')
  const session = { ...(id === null ? {} : { 'mcp-session-id': id }), 'mcp-protocol-version': legacyVersion }
  await (await say(undefined, 'notifications/initialized', {}, session)).text()
  const headers = Object.entries(session).map(([name, value]) => `${name}: ${value}\r\n`)
  return post(target, headers.join(''), JSON.stringify({ jsonrpc: '2.0', id: firstId, method, params }))
}

const legacyVersion = '2025-11-25'

// What runs in a session at once has ids of its own there, or answers would go astray: each connection writes its number in.
const firstId = 1000
const withOwnId = (bytes, connection) => {
  const at = Buffer.isBuffer(bytes) ? bytes.lastIndexOf(`"id":${firstId}`) : -1
  if (at < 0) return bytes
  const own = Buffer.from(bytes)
  own.write(String(firstId + connection), at + '"id":'.length)
  return own
}

export const post = ({ port, path = '/mcp' }, headers, body) =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

/** A connection that asks one thing after the other; who is not asked by posting brings its own `openCaller`. */
const openCaller = async (target, kept) => {
  if (target.openCaller) return target.openCaller(kept)
  const socket = connect(target.port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  socket.on('error', () => {})
  const reader = createReader(kept)
  return { call: (bytes, look) => exchange(socket, reader, bytes, look), close: () => socket.destroy() }
}

/**
 * Sends these bytes over and over, so many at once, until the time is up; every answer must hold `expected`. With
 * `perSecond` by the clock: a connection that fell behind sends at once, one that is early waits.
 */
export const load = async (target, bytes, { concurrency, ms, expected, perSecond }) => {
  const latencies = []
  const startedAt = performance.now()
  const endAt = startedAt + ms
  const one = async (_, connection) => {
    const caller = await openCaller(target)
    const own = withOwnId(bytes, connection)
    const look = (answer) => {
      if (!answer.includes(expected))
        throw new Error(`An answer without ${expected}: ${answer.toString('utf8', 0, 2000)}`)
    }
    const stepMs = perSecond === undefined ? 0 : (concurrency * 1000) / perSecond
    for (let due = performance.now() + Math.random() * stepMs; performance.now() < endAt; due += stepMs) {
      const early = due - performance.now()
      if (stepMs > 0 && early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      latencies.push(await caller.call(own, look))
    }
    caller.close()
  }
  let timer
  const silence = new Promise((_, reject) => {
    const error = new Error(`Port ${target.port} left a call unanswered for two minutes.`)
    timer = setTimeout(() => reject(error), ms + 120_000)
  })
  await Promise.race([Promise.all(Array.from({ length: concurrency }, one)), silence])
  clearTimeout(timer)
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return { calls: latencies.length, perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) }
}

/** The whole answer to these bytes, as text without its head: what is timed afterwards is looked at once. */
export const answerTo = async (target, bytes) => {
  const caller = await openCaller(target, Number.POSITIVE_INFINITY)
  let answer
  await caller.call(bytes, (whole) => (answer = whole))
  caller.close()
  const end = answer.indexOf('HTTP/1.1') === 0 ? answer.indexOf('\r\n\r\n') : -4
  const body = answer.subarray(end + 4)
  const isPlain = /content-length:/i.test(answer.toString('latin1', 0, Math.max(0, end)))
  return (isPlain ? body : withoutChunks(body)).toString()
}

const withoutChunks = (body) => {
  const parts = []
  for (let at = 0; at < body.length; ) {
    const start = body.indexOf('\r\n', at) + 2
    const length = Number.parseInt(body.toString('latin1', at, start), 16)
    parts.push(body.subarray(start, start + length))
    at = start + length + 2
  }
  return Buffer.concat(parts)
}

/** One request and its whole answer, which is looked at; the milliseconds it took. */
export const exchange = (socket, reader, bytes, look) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const end = (settle, value) => {
      socket.off('data', onData)
      socket.off('close', onClose)
      settle(value)
    }
    const onClose = () => end(reject, new Error('The connection was closed before the answer was there.'))
    const onData = (chunk) => {
      const answer = reader(chunk)
      if (answer === undefined) return
      const ms = performance.now() - startedAt
      try {
        look(answer)
        end(resolve, ms)
      } catch (error) {
        end(reject, error)
      }
    }
    if (socket.destroyed) return onClose()
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.write(bytes)
  })

/** Bytes in, whole answers out: by length, or by the last chunk. Of a long one only the last `kept` bytes or a few more. */
export const createReader = (kept = 4096) => {
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
    // Not all of it, or the reader would be what is measured.
    const whole = lastOf(parts, kept)
    parts = []
    size = 0
    needed = 0
    chunked = false
    return whole
  }
}

const lastOf = (parts, bytes) => {
  let from = parts.length - 1
  for (let size = parts[from].length; from > 0 && size < bytes; size += parts[from].length) from -= 1
  return from === parts.length - 1 ? parts[from] : Buffer.concat(parts.slice(from))
}

const lastChunk = Buffer.from('0\r\n\r\n')

const endsChunks = (parts) => {
  const last = parts.at(-1)
  if (last.length >= lastChunk.length) return last.subarray(-lastChunk.length).equals(lastChunk)
  return Buffer.concat(parts.slice(-5)).subarray(-lastChunk.length).equals(lastChunk)
}

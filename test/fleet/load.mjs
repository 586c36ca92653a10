// A steady load of calls, as many a second as asked for whatever the answers take: what fails is counted and named.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

const modernVersion = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1' },
}

/** A client of one address over kept connections; `key` is sent where there is one. */
export const createClient = (url, { key, path = '/mcp' } = {}) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  const base = new URL(url)
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  let nextId = 0
  const post = (message, headers, signal) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(message)
      const asked = request(
        {
          host: base.hostname,
          port: base.port,
          method: 'POST',
          path,
          agent,
          signal,
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'Content-Length': Buffer.byteLength(body),
            ...authorization,
            ...headers,
          },
        },
        (answer) => {
          const parts = []
          answer.on('data', (part) => parts.push(part))
          answer.once('error', reject)
          answer.once('end', () =>
            resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(parts).toString() }),
          )
          answer.once('close', () => answer.complete || reject(Object.assign(new Error('cut'), { code: 'CUT' })))
        },
      )
      asked.once('error', reject)
      asked.end(body)
    })
  const modern = async (method, params = {}, signal) => {
    const name = params.name ?? params.uri
    const headers = {
      'MCP-Protocol-Version': modernVersion,
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': encodeURI(String(name)) }),
    }
    const message = { jsonrpc: '2.0', id: ++nextId, method, params: { ...params, _meta: { ...meta, ...params._meta } } }
    return readAnswer(await post(message, headers, signal))
  }
  const headersOf = (session) => ({ 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-06-18' })
  const inSession = async (session, method, params = {}, signal) =>
    readAnswer(await post({ jsonrpc: '2.0', id: ++nextId, method, params }, headersOf(session), signal))
  /** The handshake of the earlier era; what it gives asks in that session, wherever it lands. */
  const legacy = async (capabilities = {}) => {
    const hello = { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'load', version: '1' } }
    const greeted = await post({ jsonrpc: '2.0', id: ++nextId, method: 'initialize', params: hello }, {})
    if (greeted.status !== 200) throw failure(`HTTP ${greeted.status}`, greeted.text, greeted.headers)
    const session = greeted.headers['mcp-session-id']
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headersOf(session))
    return {
      session,
      ask: (method, params, signal) => inSession(session, method, params, signal),
      send: (message) => post(message, headersOf(session)),
    }
  }
  const rest = (method, where, value) =>
    new Promise((resolve, reject) => {
      const body = value === undefined ? '' : JSON.stringify(value)
      const asked = request(
        {
          host: base.hostname,
          port: base.port,
          method,
          path: where,
          agent,
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
            ...authorization,
          },
        },
        (answer) => {
          const parts = []
          answer.on('data', (part) => parts.push(part))
          answer.once('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }))
          answer.once('close', () => answer.complete || reject(Object.assign(new Error('cut'), { code: 'CUT' })))
        },
      )
      asked.once('error', reject)
      asked.end(body)
    })
  return { modern, legacy, inSession, rest, close: () => agent.destroy() }
}

/** The result; throws what went wrong with a short name of it as `code`. */
const readAnswer = ({ status, text, headers }) => {
  if (status !== 200) throw failure(`HTTP ${status}`, `${headers['x-balancer'] ?? ''} ${text}`, headers)
  const message = /event-stream/.test(headers['content-type'] ?? '') ? lastEvent(text) : JSON.parse(text)
  if (message.error) throw failure(`${message.error.data?.code ?? message.error.code}`, message.error.message, headers)
  if (message.result?.isError) throw failure(codeIn(message.result), JSON.stringify(message.result), headers)
  return { result: message.result, replica: headers['x-replica'] }
}

const lastEvent = (text) => {
  const events = text.split('\n').filter((line) => line.startsWith('data:'))
  return JSON.parse(events.at(-1).slice(5))
}

const codeIn = (result) =>
  result._meta?.['pegboard/code'] ?? /\b[A-Z]+_[A-Z_]+\b/.exec(JSON.stringify(result))?.[0] ?? 'tool'

const failure = (code, text, headers) =>
  Object.assign(new Error(`${code}: ${text.slice(0, 300)}`), { code, replica: headers['x-replica'] })

/**
 * Sends `perSecond` requests until `count` of them were sent or `stop` was called, each when its time has come, however many
 * wait. `ask` is told the number of its request.
 */
export const startLoad = ({ perSecond, count = Number.POSITIVE_INFINITY, ask }) => {
  const failed = []
  const took = []
  const running = new Set()
  let watched
  let isOver = false
  let sent = 0
  const startedAt = performance.now()
  const send = () => {
    const at = performance.now()
    if (watched !== undefined) watched++
    const one = ask(sent).then(
      () => void took.push(performance.now() - at),
      (error) => void failed.push({ at: at - startedAt, code: error.code ?? 'error', text: error.message }),
    )
    running.add(one)
    one.finally(() => running.delete(one))
  }
  const run = async () => {
    while (!isOver && sent < count) {
      const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1)
      for (; sent < due; sent++) send()
      await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond))
    }
    await Promise.all(running)
    took.sort((one, other) => one - other)
    const part = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
    return { sent, failed, p50: part(0.5), p99: part(0.99), longest: took.at(-1) ?? 0 }
  }
  return {
    /** How many were on their way at some moment until this has happened. */
    inFlightUntil: async (happened) => {
      watched = running.size
      await happened
      const count = watched
      watched = undefined
      return count
    },
    sent: () => sent,
    stop: () => {
      isOver = true
    },
    done: run(),
  }
}

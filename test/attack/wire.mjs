// Requests as an attacker writes them: byte for byte, on sockets of their own.
import { connect } from 'node:net'

/** Sends bytes and gives what came until the end, or until enough came, or until nobody said anything for a while. */
export const sendBytes = (port, bytes, { quietMs = 3000, most = 65_536 } = {}) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const parts = []
    let size = 0
    const end = () => {
      socket.destroy()
      resolve(Buffer.concat(parts).toString('latin1'))
    }
    socket.setTimeout(quietMs, end)
    socket.on('error', end)
    socket.on('close', end)
    socket.on('data', (part) => {
      parts.push(part)
      size += part.length
      if (size >= most) end()
    })
    socket.on('connect', () => socket.write(bytes))
  })

export const statusOf = (answer) => Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0)

/** One request; `headers` may hold lists for a name that is sent more than once. */
export const request = async (port, { method = 'GET', path = '/', headers = {}, body = '', version = '1.1' }) => {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  )
  const length = body === '' && method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  const text = await sendBytes(
    port,
    `${method} ${path} HTTP/${version}\r\n${lines.join('')}${length}Connection: close\r\n\r\n${body}`,
  )
  return { status: statusOf(text), text }
}

/** All of them, so many at once: a stream that stays open costs the others nothing. */
export const inParallel = async (tasks, width = 32) => {
  const queue = [...tasks]
  const work = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) await task()
  }
  await Promise.all(Array.from({ length: width }, work))
}

export const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
export const bearer = (key) => (key === undefined ? {} : { Authorization: `Bearer ${key}` })

const modernVersion = '2026-07-28'

/** A request of MCP in either era, outside of a session. */
export const ask = (port, era, method, params, { key, path = '/mcp', headers = {} } = {}) => {
  const modern = {
    'MCP-Protocol-Version': modernVersion,
    'Mcp-Method': method,
    ...((params.name ?? params.uri) ? { 'Mcp-Name': encodeURI(String(params.name ?? params.uri)) } : {}),
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'attack', version: '1' },
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: era === 'modern' ? { ...params, _meta } : params }
  return request(port, {
    method: 'POST',
    path,
    headers: { ...json, ...bearer(key), ...(era === 'modern' ? modern : {}), ...headers },
    body: JSON.stringify(body),
  })
}

import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorAnswer } from './answer.js'

/**
 * Node hands over every request with an Upgrade header once somebody listens for one, also `h2c`, which Java's HTTP
 * client offers with each plain request and which RFC 9110 §7.8 lets us ignore. Its bytes go back to the server as the
 * request they would have been without the offer. They were parsed strictly, so writing them anew smuggles nothing.
 */
export const serveWithoutUpgrade = (server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void => {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (!hopByHop.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

const hopByHop = new Set(['connection', 'upgrade', 'http2-settings'])

/** An error on a socket that has no response object: the same body as elsewhere, then the end. */
export const refuseUpgrade = (socket: Duplex, { status, headers, body }: ErrorAnswer): void => {
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => {})
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

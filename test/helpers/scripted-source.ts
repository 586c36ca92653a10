import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import type { ClientPeer, ClientPeerOptions } from '../../src/mcp/client/client-peer.js'
import { createHttpTransport, type HttpTransportOptions } from '../../src/mcp/client/http-transport.js'
import { createClientPeer } from '../../src/mcp/client/peer.js'
import { sourceLimits } from '../../src/mcp/parse.js'

/** What a test leaves behind, ended in reverse when it is over. */
export const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

/** One message as a source reads it. */
export interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

/** What a source does with a message. */
export type Script = (message: Message, response: ServerResponse, request: IncomingMessage) => void

/** An HTTP server for one test. */
export const listen = async (
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clean.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

export const json = (
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

export const result = (response: ServerResponse, id: unknown, value: unknown): void =>
  json(response, { jsonrpc: '2.0', id, result: value })

export const sse = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response
}

export const event = (value: unknown, id?: string): string =>
  `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(value)}\n\n`

/** A modern source that answers `server/discover` well and leaves the rest to the script. */
export const modern =
  (script: Script): Script =>
  (message, response, request) => {
    if (message.method !== 'server/discover') return script(message, response, request)
    result(response, message.id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} })
  }

/** A legacy source with a session; GET has no stream. */
export const legacy =
  (script: Script, session = 's-1'): Script =>
  (message, response, request) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
    } else if (message.method === 'server/discover')
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request' } }, 400)
    else if (message.method === 'initialize') {
      const value = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'raw', version: '1' } }
      json(response, { jsonrpc: '2.0', id: message.id, result: value }, 200, { 'mcp-session-id': session })
    } else if (message.method === 'notifications/initialized') response.writeHead(202).end()
    else script(message, response, request)
  }

/** A source that does what the script says. */
export const serve = (script: Script): Promise<string> =>
  listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      script(text ? JSON.parse(text) : { method: '' }, response, request)
    })
  })

/** Our side, with small limits. */
export const connect = (
  url: string,
  options: Partial<ClientPeerOptions> = {},
  http: Partial<HttpTransportOptions> = {},
): ClientPeer => {
  const limits = { ...sourceLimits, maxBytes: 256 * 1024 }
  const clock = options.clock ? { clock: options.clock } : {}
  const transport = createHttpTransport({ url, limits, ...clock, ...http })
  const peer = createClientPeer(transport, { clientInfo: { name: 't', version: '1' }, ...options })
  clean.push(() => peer.close())
  return peer
}

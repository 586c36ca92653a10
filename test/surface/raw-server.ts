import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as it is on the wire; tests look into it freely. */
export type RawMessage = Record<string, any>

export interface RawCall {
  readonly id: unknown
  readonly params: RawMessage
  /** Says something on this call's own stream. */
  say(message: RawMessage): void
  /** Asks the client and waits for its answer, whatever it is. */
  ask(method: string, params: RawMessage): Promise<RawMessage>
  end(result: RawMessage): void
}

export interface RawServer {
  readonly url: string
  /** What clients declared, one entry per session. */
  readonly declared: readonly RawMessage[]
  close(): Promise<void>
}

const elicit = { type: 'object', properties: { name: { type: 'string' } } }
export const question = { message: 'Who?', requestedSchema: elicit }

/** A legacy server over HTTP by hand, whose one tool does what the test wants. */
export const startRawLegacy = async (onCall: (call: RawCall) => Promise<void> | void): Promise<RawServer> => {
  const declared: RawMessage[] = []
  const waiting = new Map<unknown, (message: RawMessage) => void>()
  let asked = 0

  const answer = (message: RawMessage, response: ServerResponse): void => {
    const reply = (result: RawMessage): void => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    }
    switch (message.method) {
      case 'initialize':
        declared.push(message.params.capabilities)
        response.setHeader('mcp-session-id', `session-${declared.length}`)
        return reply({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'raw', version: '1' },
        })
      case 'tools/list':
        return reply({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] })
      case 'tools/call':
        return void call(message, response)
      default:
        if (message.method === undefined) waiting.get(message.id)?.(message)
        response.writeHead(message.id === undefined || message.method === undefined ? 202 : 404).end()
    }
  }
  const call = (message: RawMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (said: RawMessage): void =>
      void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`)
    void onCall({
      id: message.id,
      params: message.params,
      say,
      ask: (method, params) =>
        new Promise((resolve) => {
          const id = `raw-${++asked}`
          waiting.set(id, resolve)
          say({ id, method, params })
        }),
      end: (result) => {
        say({ id: message.id, result })
        response.end()
      },
    })
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let body = ''
    for await (const chunk of request) body += chunk
    answer(JSON.parse(body), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    declared,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const text = (value: string): RawMessage => ({ content: [{ type: 'text', text: value }] })

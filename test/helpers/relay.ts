import { createCipheriv, createDecipheriv, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/** 32 characters, as the self-hosted relay wants them. */
const key = 'a-key-of-exactly-32-characters-!'

/** X3: URL-encoded base64 of AES-ECB over the agent's id. */
export const relayToken = (agentId: string): string => {
  const cipher = createCipheriv('aes-256-ecb', key, null)
  const sealed = Buffer.concat([cipher.update(JSON.stringify({ agentId })), cipher.final()])
  return encodeURIComponent(sealed.toString('base64'))
}

export interface Relay {
  toolUrl(agentId: string): string
  robotUrl(agentId: string): string
  healthUrl(): string
  /** Frames of the tool side that it threw away (X7). */
  readonly dropped: readonly string[]
  /** How many tool connections each agent has had. */
  readonly registrations: ReadonlyMap<string, number>
  isRegistered(agentId: string): boolean
  /** Resolves when the agent has had at least so many tool connections. */
  registered(agentId: string, count?: number): Promise<void>
  close(): Promise<void>
}

/**
 * A relay that behaves as the self-hosted one does (X3, X7–X10), its mistakes included: ids rewritten, an id of 0 not;
 * frames without its ids dropped; one tool connection per agent, whose cleanup throws its successor out of the list.
 */
export const startRelay = async (): Promise<Relay> => {
  const tools = new Map<string, WebSocket>()
  const robots = new Map<string, WebSocket>()
  const registrations = new Map<string, number>()
  const waiting = new Set<() => void>()
  const dropped: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://relay')
    const healthy = url.pathname === '/mcp_endpoint/health' && url.searchParams.get('key') === key
    response.writeHead(healthy ? 200 : 403, { 'content-type': 'application/json' })
    response.end(JSON.stringify(healthy ? { result: { status: 'success' } } : { error: 'key' }))
  })
  const sockets = new WebSocketServer({ server })

  const serveTools = (socket: WebSocket, agentId: string): void => {
    tools.get(agentId)?.close(1000, '新连接替换')
    tools.set(agentId, socket)
    registrations.set(agentId, (registrations.get(agentId) ?? 0) + 1)
    for (const check of waiting) check()
    socket.on('close', () => tools.delete(agentId))
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString())
      const [, robot, kind, id] = /^(.+)_([ns])_(.*)$/.exec(String(message.id ?? '')) ?? []
      if (robot === undefined) return void dropped.push(data.toString())
      robots.get(robot)?.send(JSON.stringify({ ...message, id: kind === 'n' ? Number(id) : id }))
    })
  }
  const serveRobot = (socket: WebSocket, agentId: string): void => {
    const uuid = randomUUID()
    robots.set(uuid, socket)
    socket.on('close', () => robots.delete(uuid))
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString())
      const tool = tools.get(agentId)
      if (tool?.readyState !== WebSocket.OPEN) {
        const error = { code: -32001, message: '工具端未连接', data: { agent_id: agentId, details: '' } }
        return socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, error }))
      }
      const rewritten = message.id
        ? { ...message, id: `${uuid}_${typeof message.id === 'number' ? 'n' : 's'}_${message.id}` }
        : message
      tool.send(JSON.stringify(rewritten))
    })
  }
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => {})
    const url = new URL(request.url ?? '', 'http://relay')
    const token = url.searchParams.get('token')
    if (!token) return socket.close(1008, '缺少token参数')
    const agentId = agentOf(token)
    if (agentId === undefined) return socket.close(1008, 'token解密失败')
    return url.pathname.includes('/call') ? serveRobot(socket, agentId) : serveTools(socket, agentId)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const at = (path: string, query: string) => `127.0.0.1:${port}/mcp_endpoint/${path}?${query}`
  return {
    toolUrl: (agentId) => `ws://${at('mcp/', `token=${relayToken(agentId)}`)}`,
    robotUrl: (agentId) => `ws://${at('call/', `token=${relayToken(agentId)}`)}`,
    healthUrl: () => `http://${at('health', `key=${encodeURIComponent(key)}`)}`,
    dropped,
    registrations,
    isRegistered: (agentId) => tools.has(agentId),
    registered: (agentId, count = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if ((registrations.get(agentId) ?? 0) < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const agentOf = (token: string): string | undefined => {
  try {
    const cipher = createDecipheriv('aes-256-ecb', key, null)
    const text = Buffer.concat([cipher.update(Buffer.from(token, 'base64')), cipher.final()]).toString()
    return (JSON.parse(text) as { agentId: string }).agentId
  } catch {
    return undefined
  }
}

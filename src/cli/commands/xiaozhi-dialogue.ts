import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { GatewayError, isGatewayError } from '../../errors.js'
import { isRecord } from '../../model/json.js'
import { say } from '../../serving/locale.js'

/** The far side's end of a dialogue: what a robot does. */
export interface Robot {
  ask(method: string, params?: unknown): Promise<Record<string, unknown>>
  close(): void
}

/** A far side on this machine, as the cloud is one: it waits for us to dial in. */
export interface LocalFarSide {
  readonly url: string
  readonly robot: Promise<Robot>
  close(): Promise<void>
}

export const startLocalFarSide = async (timeoutMs: number): Promise<LocalFarSide> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: mostBytes })
  await once(server, 'listening')
  const robot = once(server, 'connection').then(([socket]) => createRobot(socket as WebSocket, timeoutMs))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    robot,
    close: async () => {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * The other door of a self-hosted relay (X3): with the same token, a robot comes in at `/call/`. Undefined for addresses
 * that have none, such as the cloud's.
 */
export const robotAddress = (url: string): string | undefined => {
  const door = new URL(url)
  if (!/\/mcp_endpoint\/mcp\/?$/.test(door.pathname)) return undefined
  door.pathname = door.pathname.replace(/\/mcp\/?$/, '/call/')
  return door.href
}

export const dialRobot = async (url: string, timeoutMs: number): Promise<Robot> => {
  const socket = new WebSocket(url, { handshakeTimeout: timeoutMs, maxPayload: mostBytes, perMessageDeflate: false })
  socket.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    // Without the error's own words: they may hold the address, which is a secret.
    socket.once('close', (code: number) => reject(turnedOut(code)))
  })
  return createRobot(socket, timeoutMs)
}

/** The relay closed a robot's connection; 1008 is how it says that the token is not accepted (X9). */
const turnedOut = (code: number): GatewayError =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    say(`The relay does not let a robot in (${code}).`, `中继拒绝了机器人的连接（${code}）。`),
    { details: { closeCode: code } },
  )

/** Whether a relay turned its robot out for the token. */
export const isTokenRefused = (error: unknown): boolean => isGatewayError(error) && error.details?.closeCode === 1008

const mostBytes = 4 * 1024 * 1024

const createRobot = (socket: WebSocket, timeoutMs: number): Robot => {
  // From 1 on: the self-hosted relay loses answers to 0 (X7).
  let id = 0
  const waiting = new Map<number, (answer: Record<string, unknown> | GatewayError) => void>()
  let ended: GatewayError | undefined
  socket.on('error', () => {})
  socket.on('close', (code: number) => {
    ended = turnedOut(code)
    for (const settle of [...waiting.values()]) settle(ended)
  })
  socket.on('message', (data) => {
    const answer = parse(data.toString())
    const resolve = waiting.get(Number(answer?.id))
    if (answer && resolve) resolve(answer)
  })
  return {
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        const own = ++id
        const timer = setTimeout(() => {
          waiting.delete(own)
          reject(
            new GatewayError(
              'DEADLINE_EXCEEDED',
              say(`No answer to ${method} within ${timeoutMs} ms.`, `${timeoutMs} 毫秒内没有应答 ${method}。`),
            ),
          )
        }, timeoutMs)
        waiting.set(own, (answer) => {
          clearTimeout(timer)
          waiting.delete(own)
          if (isGatewayError(answer)) reject(answer)
          else resolve(answer)
        })
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
      }),
    close: () => socket.terminate(),
  }
}

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

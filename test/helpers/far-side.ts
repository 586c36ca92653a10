import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** One connection of the product, seen from the far side. */
export class Visit {
  readonly socket: WebSocket
  readonly url: string
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  pings = 0
  readonly #frames: string[] = []
  readonly #waiting: ((frame: string) => void)[] = []

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.socket = socket
    this.url = request.url ?? ''
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    )
    socket.on('error', () => {})
    socket.on('ping', () => {
      this.pings += 1
    })
    socket.on('message', (data) => {
      const frame = data.toString()
      const waiting = this.#waiting.shift()
      if (waiting) waiting(frame)
      else this.#frames.push(frame)
    })
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  /** The next frame as text. */
  text(): Promise<string> {
    const frame = this.#frames.shift()
    return frame === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(frame)
  }

  async next(): Promise<any> {
    return JSON.parse(await this.text())
  }

  /** The frames that came and that nobody took. */
  get untaken(): readonly string[] {
    return this.#frames
  }

  async ask(method: string, params?: unknown, id: unknown = 1): Promise<any> {
    this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
    return this.next()
  }

  /** A tool's text, as the far side reads it. */
  async call(name: string, args: unknown = {}): Promise<any> {
    return (await this.ask('tools/call', { name, arguments: args, serialNumber: null })).result
  }

  /** Ends without a word, as a cut cable does. */
  cut(): void {
    this.socket.terminate()
  }
}

export interface FarSideOptions {
  /** Answers pings. Off: a half-open connection. */
  readonly pong?: boolean
  /** Turns the handshake down with this status. */
  readonly status?: () => number | undefined
  readonly headers?: string
  readonly port?: number
}

/** A place that the product dials, as the cloud is one: it accepts, then the test speaks. */
export interface FarSide {
  readonly port: number
  url(token?: string): string
  /** The next connection. */
  visit(): Promise<Visit>
  /** Handshakes so far, turned down or not. */
  readonly handshakes: number
  readonly open: number
  close(): Promise<void>
}

export const startFarSide = async (options: FarSideOptions = {}): Promise<FarSide> => {
  const visits: Visit[] = []
  const waiting: ((visit: Visit) => void)[] = []
  const sockets = new WebSocketServer({ noServer: true, autoPong: options.pong ?? true })
  const server: Server = createServer()
  let handshakes = 0
  server.on('upgrade', (request, socket, head) => {
    handshakes += 1
    const status = options.status?.()
    if (status !== undefined) {
      socket.on('error', () => {})
      return void socket.end(
        `HTTP/1.1 ${status} No\r\n${options.headers ?? ''}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      )
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      const visit = new Visit(open, request)
      const next = waiting.shift()
      if (next) next(visit)
      else visits.push(visit)
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (token = 'secret-token-0123456789') => `ws://127.0.0.1:${port}/mcp/?token=${token}`,
    visit: () => {
      const visit = visits.shift()
      return visit ? Promise.resolve(visit) : new Promise((resolve) => waiting.push(resolve))
    },
    get handshakes() {
      return handshakes
    },
    get open() {
      return sockets.clients.size
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A client at the relay's other side, as xiaozhi-esp32-server has one: it does not wait before it goes on (X5). */
export class Robot {
  readonly #socket: WebSocket
  readonly #frames: any[] = []
  readonly #waiting: ((frame: any) => void)[] = []

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString())
      const waiting = this.#waiting.shift()
      if (waiting) waiting(frame)
      else this.#frames.push(frame)
    })
  }

  static async connect(url: string): Promise<Robot> {
    const socket = new WebSocket(url)
    const robot = new Robot(socket)
    await once(socket, 'open')
    return robot
  }

  send(message: unknown): void {
    this.#socket.send(JSON.stringify(message))
  }

  next(): Promise<any> {
    const frame = this.#frames.shift()
    return frame === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(frame)
  }

  async ask(method: string, params?: unknown, id: unknown = 1): Promise<any> {
    this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
    return this.next()
  }

  close(): void {
    this.#socket.terminate()
  }
}

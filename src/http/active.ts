import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Exchange } from './exchange.js'

/** The open requests: exchanges whose answer has not ended, and sockets that were upgraded. */
export interface Active {
  readonly size: number
  add(exchange: Exchange): void
  addSocket(socket: Duplex, hooks: readonly (() => void)[]): void
  /** Calls the closing hooks of streams, and sends `Connection: close` with every further answer. */
  drain(): void
  /** Arms the socket's timeout under every answer that ended but is not being read. */
  watchStalled(stalledMs: number): void
  /** Ends what is left at once. */
  destroySockets(): void
  /** Resolves when nothing is left. */
  idle(): Promise<void>
}

/** Keeps track of open requests, so that a graceful shutdown can wait for them. */
export const createActive = (onHookError: (error: unknown) => void): Active => {
  /**
   * A list whose gaps are filled from its end. Not a Map: V8 keeps each outgrown table of a Map alive by the one before
   * it, so a Map whose entries come and go promotes every exchange to V8's old generation (measured: a third of all
   * garbage at 64 in flight).
   */
  const exchanges: Exchange[] = []
  const sockets = new Map<Duplex, readonly (() => void)[]>()
  let waiting: (() => void)[] = []

  const size = () => exchanges.length + sockets.size
  const settle = () => {
    if (waiting.length === 0 || size() > 0) return
    for (const resolve of waiting.splice(0)) resolve()
  }
  // One function for all responses: a closure per request would be the dearest part of keeping count.
  function onClose(this: Held) {
    const exchange = this[held]!
    const last = exchanges.pop()!
    if (last !== exchange) {
      exchanges[exchange.place] = last
      last.place = exchange.place
    }
    exchange.closed()
    settle()
  }

  return {
    get size() {
      return size()
    },
    add: (exchange) => {
      exchange.place = exchanges.push(exchange) - 1
      const response: Held = exchange.response
      response[held] = exchange
      response.on('close', onClose)
    },
    addSocket: (socket, hooks) => {
      sockets.set(socket, hooks)
      socket.once('close', () => {
        sockets.delete(socket)
        settle()
      })
    },
    drain: () => {
      for (const { response, drainHooks } of [...exchanges]) {
        response.shouldKeepAlive = false
        runHooks(drainHooks ?? [], onHookError)
      }
      for (const hooks of [...sockets.values()]) runHooks(hooks, onHookError)
    },
    watchStalled: (stalledMs) => {
      for (const { response } of exchanges) {
        // Node's own timer looks at the bytes the kernel took, so a slow reader lives and a dead one does not.
        if (response.writableEnded && !response.writableFinished) response.socket?.setTimeout(stalledMs)
      }
    },
    destroySockets: () => {
      for (const socket of [...sockets.keys()]) socket.destroy()
    },
    idle: () =>
      new Promise((resolve) => {
        waiting = [...waiting, resolve]
        settle()
      }),
  }
}

/** How a response that closes finds its exchange without a table of all. */
const held = Symbol('exchange')
type Held = ServerResponse & { [held]?: Exchange | undefined }

// One hook that throws must not keep the others from hearing.
const runHooks = (hooks: readonly (() => void)[], onError: (error: unknown) => void): void => {
  for (const hook of hooks) {
    try {
      hook()
    } catch (error) {
      onError(error)
    }
  }
}

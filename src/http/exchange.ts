import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Cancel, type CancelSignal } from '../model/cancel.js'
import type { Shares } from '../model/shares.js'
import type { DoorRules } from './admit.js'
import { nobody } from './auth.js'
import { type BodyBudget, type BodyTaker, readBody } from './body.js'
import { runHooks } from './hooks.js'
import type { LargeRequests } from './large-requests.js'
import type { BodySink, HttpExchange, Route } from './route.js'
import { parseQuery } from './target.js'

/** What exchanges need of their host; one object for all of them. */
export interface ExchangeContext {
  readonly maxBodyBytes: number
  /** Answers no longer keep their connections: whoever sends us requests should look elsewhere. */
  readonly draining: boolean
  readonly budget: BodyBudget
  readonly shares: Shares
  readonly largeRequests: LargeRequests
  nextId(): string
  readonly closing: boolean
  /** Known once we are bound. */
  readonly rules: DoorRules
}

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** A class, since one is made per request: methods are shared, and what is seldom read is made when it is. */
export class OpenExchange implements HttpExchange, BodyTaker {
  path = ''
  params = noParams
  caller = nobody
  isStranger = false
  /** The query as it came, without its `?`. */
  search = ''
  drainHooks: (() => void)[] | undefined
  /** Who has it: what goes wrong from then on is told in the route's words. */
  route: Route | undefined
  /** Where `Active` keeps it. */
  place = 0
  heldBytes = 0
  #query: URLSearchParams | undefined
  #cancel: Cancel | undefined
  #requestId: string | undefined
  #body: Promise<Buffer> | undefined
  #sink: BodySink | undefined

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly context: ExchangeContext,
    /** Answers with an error in the words of its route. */
    readonly fail: (exchange: OpenExchange, error: unknown) => void,
  ) {}

  get shares(): Shares {
    return this.context.shares
  }

  get method(): string {
    return this.request.method ?? ''
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery(this.search))
  }

  get cancel(): CancelSignal {
    if (this.#cancel) return this.#cancel
    this.#cancel = new Cancel()
    if (this.response.destroyed || this.response.closed) this.closed()
    return this.#cancel
  }

  /** Told by `Active`, which listens anyway: a second listener per request costs more than the whole cancelling. */
  closed(): void {
    // Node says `close` after a good end too. `writableFinished` would not do: a socket destroyed under a large answer
    // counts as finished, and once an answer has ended there is nothing left to stop.
    if (!this.response.writableEnded) this.#cancel?.abort(new Error('The client closed the connection.'))
  }

  get requestId(): string {
    return (this.#requestId ??= this.context.nextId())
  }

  receive(sink: BodySink): void {
    this.#sink = sink
    readBody(this, this.context.maxBodyBytes, this)
  }

  received(body: Buffer): void {
    const done = this.#sink!.received(body)
    if (done !== undefined) done.catch((error: unknown) => this.fail(this, error))
  }

  refused(error: Error): void {
    this.fail(this, error)
  }

  readBody(maxBytes = this.context.maxBodyBytes): Promise<Buffer> {
    const most = Math.min(maxBytes, this.context.maxBodyBytes)
    return (this.#body ??= new Promise((received, refused) => readBody(this, most, { received, refused })))
  }

  onDrain(hook: () => void): void {
    if (this.context.closing) hook()
    else this.drainHooks = [...(this.drainHooks ?? []), hook]
  }
}

/** The open requests: exchanges whose answer has not ended, and sockets that were upgraded. */
export interface Active {
  add(exchange: OpenExchange): void
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
  const exchanges: OpenExchange[] = []
  const sockets = new Map<Duplex, readonly (() => void)[]>()
  let waiting: (() => void)[] = []

  const settle = () => {
    if (waiting.length === 0 || exchanges.length + sockets.size > 0) return
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
type Held = ServerResponse & { [held]?: OpenExchange | undefined }

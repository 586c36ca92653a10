import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Cancel, type CancelSignal } from '../model/cancel.js'
import type { Shares } from '../model/shares.js'
import { nobody } from './auth.js'
import type { Active, BodyTaker, ExchangeContext } from './exchange-context.js'
import { holdRequest, largeBytes } from './held-bytes.js'
import { runHooks } from './hooks.js'
import { bodyTooLarge, invalidRequest, maxChunks, noMemory, tooManyChunks } from './http-error.js'
import { type LargeRequest, largeRequestBytes } from './large-requests.js'
import type { BodySink, HttpExchange, Route } from './route.js'
import { parseQuery } from './target.js'

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

  refused(error: unknown): void {
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

const empty = Buffer.alloc(0)
// Joined early, or tiny chunks would hold a hundred times their bytes.
const joinAfter = 256

/** The whole body within its bounds, never holding more than them. */
const readBody = (exchange: OpenExchange, maxBytes: number, taker: BodyTaker): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = exchange.request.headers
  if (length === undefined && encoding === undefined) taker.received(empty)
  else if (Number(length) > maxBytes) taker.refused(bodyTooLarge(maxBytes))
  else if (length === '0') taker.received(empty)
  else new Body(exchange, maxBytes, encoding === undefined ? Number(length) : undefined, taker).start()
}

/** A body on its way. An object with shared listeners: a set of functions per request costs more than reading. */
class Body implements LargeRequest {
  #blocks: Buffer[] = []
  #recent: Buffer[] = []
  #bytes = 0
  #chunks = 0
  #done = false
  #hasBegun = false
  #hasWaited = false

  constructor(
    readonly exchange: OpenExchange,
    readonly maxBytes: number,
    /** Undefined where it comes in chunks, whose sum nobody has said. */
    readonly length: number | undefined,
    readonly taker: BodyTaker,
  ) {}

  /** Listeners stay: taking them off costs more than they do, and they go with the request. */
  start(): void {
    const request: Reading = this.exchange.request
    request[reading] = this
    request.on('close', onBodyClose)
    if (!this.#mayBeLarge) return this.begin()
    this.exchange.context.largeRequests.take(this)
    this.#hasWaited = !this.#hasBegun
  }

  get caller(): string {
    return this.exchange.caller.id
  }

  begin(): void {
    this.#hasBegun = true
    const { request } = this.exchange
    request.on('data', onData)
    // A body of known length is whole with its last byte; Node says `end` a turn later.
    if (this.length === undefined) request.on('end', onBodyEnd)
  }

  take(chunk: Buffer): void {
    if (this.#done) return
    const { budget } = this.exchange.context
    this.#bytes += chunk.length
    budget.usedBytes += chunk.length
    if (this.#bytes > this.maxBytes) return this.refuse(bodyTooLarge(this.maxBytes))
    if (++this.#chunks > maxChunks) return this.refuse(tooManyChunks())
    if (budget.usedBytes > budget.maxBytes) return this.refuse(noMemory())
    const refused = this.#bytes > largeBytes ? holdRequest(this.exchange, this.#bytes) : undefined
    if (refused) return this.refuse(refused)
    if (this.#recent.push(chunk) >= joinAfter) {
      this.#blocks.push(Buffer.concat(this.#recent))
      this.#recent = []
    }
    if (this.#bytes === this.length) this.end()
  }

  end(): void {
    if (!this.#finish()) return
    const parts = [...this.#blocks, ...this.#recent]
    // The request lives until it is answered; what was read is whoever's it is given to.
    this.#blocks = this.#recent = []
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts, this.#bytes)
    if (!this.#hasWaited) return this.#deliver(body)
    // While nothing was read nobody could see that the client had left: that comes right behind the last byte.
    setImmediate(() => setImmediate(() => this.exchange.request.socket.readable && this.#deliver(body)))
  }

  #deliver(body: Buffer): void {
    if (this.#bytes > largeRequestBytes) this.#measure()
    try {
      this.taker.received(body)
    } catch (error) {
      this.taker.refused(error)
    }
  }

  /** From here until others have their turn. */
  #measure(): void {
    const startedAt = performance.now()
    setImmediate(() => this.exchange.context.largeRequests.took(this, performance.now() - startedAt))
  }

  get #mayBeLarge(): boolean {
    return this.length === undefined || this.length > largeRequestBytes
  }

  close(): void {
    if (this.#done) return
    if (this.#mayBeLarge) this.exchange.context.largeRequests.leave(this)
    this.refuse(invalidRequest('The connection closed before the whole body had come.'))
  }

  refuse(error: Error): void {
    this.#blocks = this.#recent = []
    if (this.#finish()) this.taker.refused(error)
  }

  #finish(): boolean {
    if (this.#done) return false
    this.exchange.context.budget.usedBytes -= this.#bytes
    return (this.#done = true)
  }
}

const reading = Symbol('body')
type Reading = IncomingMessage & { [reading]?: Body | undefined }

function onData(this: Reading, chunk: Buffer): void {
  this[reading]!.take(chunk)
}

function onBodyEnd(this: Reading): void {
  this[reading]!.end()
}

function onBodyClose(this: Reading): void {
  this[reading]!.close()
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Caller } from '../model/caller.js'
import { Cancel, type CancelSignal } from '../model/cancel.js'
import type { DoorRules } from './admit.js'
import { HttpError, invalidRequest } from './http-error.js'
import type { HttpExchange, Route } from './route.js'
import { parseQuery } from './target.js'

/** What exchanges need of their host; one object for all of them. */
export interface ExchangeContext {
  readonly maxBodyBytes: number
  /** Answers no longer keep their connections: whoever sends us requests should look elsewhere. */
  readonly draining: boolean
  readonly budget: BodyBudget
  nextId(): string
  readonly closing: boolean
  /** Known once we are bound. */
  readonly rules: DoorRules
}

/** Whoever passes without being asked: no rights at all. */
export const nobody: Caller = Object.freeze({ id: 'anonymous', rights: Object.freeze([]) })

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** A class, since one is made per request: methods are shared, and what is seldom read is made when it is. */
export class OpenExchange implements HttpExchange {
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
  #query: URLSearchParams | undefined
  #cancel: Cancel | undefined
  #requestId: string | undefined
  #body: Promise<Buffer> | undefined

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly context: ExchangeContext,
  ) {}

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

  readBody(maxBytes = this.context.maxBodyBytes): Promise<Buffer> {
    const { maxBodyBytes, budget } = this.context
    return (this.#body ??= readBody(this.request, Math.min(maxBytes, maxBodyBytes), budget))
  }

  onDrain(hook: () => void): void {
    if (this.context.closing) hook()
    else this.drainHooks = [...(this.drainHooks ?? []), hook]
  }
}

/** The open requests: exchanges whose answer has not ended, and sockets that were upgraded. */
export interface Active {
  readonly size: number
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
type Held = ServerResponse & { [held]?: OpenExchange | undefined }

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

/** The memory that all bodies being read share; one counter per host. */
export interface BodyBudget {
  readonly maxBytes: number
  usedBytes: number
}

const empty = Buffer.alloc(0)
// A chunk costs an event and an object whatever its size, so a body of one-byte chunks is dear: more than this is an attack.
const maxChunks = 65_536
// Joined early, or tiny chunks would hold a hundred times their bytes.
const joinAfter = 256
// What is thrown away after a refusal, so that the client can still read the answer; a reset could overtake it.
const maxDiscardedBytes = 64 * 1024 * 1024

/** The whole body within its bounds, never holding more than them. */
export const readBody = (request: IncomingMessage, maxBytes: number, budget: BodyBudget): Promise<Buffer> => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) return Promise.resolve(empty)
  if (length !== undefined && Number(length) > maxBytes) return Promise.reject(bodyTooLarge(maxBytes))
  return new Promise((resolve, reject) => collect(request, maxBytes, budget, resolve, reject))
}

const collect = (
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  resolve: (body: Buffer) => void,
  reject: (error: HttpError) => void,
): void => {
  let blocks: Buffer[] = []
  let recent: Buffer[] = []
  let bytes = 0
  let chunks = 0
  let done = false

  // Listeners stay: taking four of them off costs more than they do, and they go with the request.
  const fail = (error: HttpError) => {
    if (done) return
    done = true
    budget.usedBytes -= bytes
    blocks = recent = []
    reject(error)
  }
  const onData = (chunk: Buffer) => {
    if (done) return
    bytes += chunk.length
    budget.usedBytes += chunk.length
    if (bytes > maxBytes) return fail(bodyTooLarge(maxBytes))
    if (++chunks > maxChunks) return fail(tooManyChunks())
    if (budget.usedBytes > budget.maxBytes) return fail(noMemory())
    if (recent.push(chunk) < joinAfter) return
    blocks.push(Buffer.concat(recent))
    recent = []
  }
  const onEnd = () => {
    if (done) return
    done = true
    budget.usedBytes -= bytes
    resolve(chunks === 1 ? recent[0]! : Buffer.concat([...blocks, ...recent], bytes))
  }
  const onClose = () => {
    if (!done) fail(invalidRequest('The connection closed before the whole body had come.'))
  }

  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
}

/** Throws away what is left of a refused request's body. Too much of it ends the connection. */
export const discardBody = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return
  let bytes = 0
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDiscardedBytes) request.destroy()
  })
}

/** 413, also for a declared length that nobody needs to read first. */
export const bodyTooLarge = (maxBytes: number): HttpError =>
  new HttpError(413, 'BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    hint: 'Send less at once, or raise the limit of the server.',
  })

const tooManyChunks = (): HttpError =>
  new HttpError(413, 'BODY_TOO_LARGE', `The body came in more than ${maxChunks} pieces.`, {
    hint: 'Send it with a Content-Length, or in larger chunks.',
  })

const noMemory = (): HttpError =>
  new HttpError(503, 'OVERLOADED', 'Too many large requests are being read at once.', {
    hint: 'Try again in a moment.',
    headers: { 'Retry-After': '1' },
  })

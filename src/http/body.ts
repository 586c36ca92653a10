import type { IncomingMessage } from 'node:http'
import { type Holder, holdRequest, largeBytes } from './held-bytes.js'
import { bodyTooLarge, invalidRequest, maxChunks, noMemory, tooManyChunks } from './http-error.js'
import { type LargeRequest, type LargeRequests, largeRequestBytes } from './large-requests.js'

/** A request whose caller is known, as far as its body is concerned. */
interface Bodied extends Holder {
  readonly request: IncomingMessage
  heldBytes: number
  readonly context: { readonly budget: BodyBudget; readonly largeRequests: LargeRequests }
}

/** The memory that all bodies being read share; one counter per host. */
export interface BodyBudget {
  readonly maxBytes: number
  usedBytes: number
}

const empty = Buffer.alloc(0)
// Joined early, or tiny chunks would hold a hundred times their bytes.
const joinAfter = 256

/** The whole body within its bounds, never holding more than them. */
export const readBody = (exchange: Bodied, maxBytes: number, taker: BodyTaker): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = exchange.request.headers
  if (length === undefined && encoding === undefined) taker.received(empty)
  else if (Number(length) > maxBytes) taker.refused(bodyTooLarge(maxBytes))
  else if (length === '0') taker.received(empty)
  else new Body(exchange, maxBytes, encoding === undefined ? Number(length) : undefined, taker).start()
}

/** Takes a body once it is whole, or why it is not. */
export interface BodyTaker {
  received(body: Buffer): void
  refused(error: unknown): void
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
    readonly exchange: Bodied,
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
    if (this.#bytes > this.maxBytes) return this.#fail(bodyTooLarge(this.maxBytes))
    if (++this.#chunks > maxChunks) return this.#fail(tooManyChunks())
    if (budget.usedBytes > budget.maxBytes) return this.#fail(noMemory())
    const refused = this.#bytes > largeBytes ? holdRequest(this.exchange, this.#bytes) : undefined
    if (refused) return this.#fail(refused)
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
    setImmediate(() => this.exchange.response.closed || this.#deliver(body))
  }

  #deliver(body: Buffer): void {
    if (this.#bytes > largeRequestBytes) this.#measure()
    try {
      this.taker.received(body)
    } catch (error) {
      this.taker.refused(error)
    }
  }

  refuse(error: Error): void {
    this.#fail(error)
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
    this.#fail(invalidRequest('The connection closed before the whole body had come.'))
  }

  #fail(error: Error): void {
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

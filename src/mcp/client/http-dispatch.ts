import type { GatewayError } from '../../errors.js'
import { ByteStash, createSseParser, type SseEvent, type SseParser } from '../framing.js'
import { invalidAnswer, networkFailure, tooLargeAnswer } from './failure.js'
import { type Decoder, openDecoder } from './http-decoder.js'

/** How requests get to one server. */
export interface HttpWire {
  /** Sends it as soon as there is a connection; everything that happens is told to the exchange. */
  send(exchange: Dispatched): void
  /** Ends what is open, and takes nothing more. */
  close(): Promise<void>
}

/** Where requests go, and how much of an answer is read. */
export interface HttpTarget {
  readonly wire: HttpWire
  readonly origin: string
  readonly path: string
  /** Of one answer, or of one event where it is a stream of them. */
  readonly maxBytes: number
}

export interface HttpAnswer {
  readonly status: number
  /** `application/json`, without parameters, in lower case; empty when there is none. */
  readonly type: string
  /** The whole body, unless it is a stream of events. */
  readonly body: Buffer
  /** By its name in lower case; a repeated one is joined by commas. */
  header(name: string): string | undefined
}

export interface DispatchHooks {
  /** Status and headers are here; a body may follow. */
  onStart?(answer: HttpAnswer): void
  onEvent(event: SseEvent): void
  onRetry?(delayMs: number): void
  onEnd(answer: HttpAnswer): void
  onFail(error: GatewayError): void
}

/** The headers of an answer, as whoever read them keeps them. */
export interface HeaderTable {
  get(name: string): string | undefined
}

const noBody = Buffer.alloc(0)
const cancelled = new Error('cancelled')

/**
 * One request and its answer. Whoever wants the answer extends it, so that a call is one object from its headers to its last
 * byte. Bytes are counted as they come: an endless answer ends here.
 */
export abstract class Dispatched implements HttpAnswer {
  /** False while it surely has not left: it waits for a connection. */
  sent = false
  /** Nobody is told anything any more. */
  over = false
  status = 0
  type = ''
  body: Buffer = noBody
  /** As they are written, a line each; set before it is sent. */
  headers = ''
  #bytes = 0
  /** Where the body is collected when its length was not said. */
  #stash: ByteStash | undefined
  #head: HeaderTable | undefined
  #wire: { abort(reason: Error): void } | undefined
  #parser: SseParser | undefined
  #decoder: Decoder | undefined

  constructor(
    readonly target: HttpTarget,
    readonly method: 'GET' | 'POST' | 'DELETE',
    readonly text: string | undefined,
  ) {}

  abstract onStart(answer: HttpAnswer): void
  abstract onEvent(event: SseEvent): void
  abstract onRetry(delayMs: number): void
  abstract onEnd(answer: HttpAnswer): void
  abstract onFail(error: GatewayError): void

  get lastEventId(): string | undefined {
    return this.#parser?.lastEventId
  }

  header(name: string): string | undefined {
    return this.#head?.get(name)
  }

  /** Nobody wants it any more: no hook is called after it. */
  cancel(): void {
    this.hangUp()
  }

  /** Closes its stream, and with it the connection. */
  hangUp(): void {
    this.over = true
    this.#decoder?.close()
    this.#wire?.abort(cancelled)
    this.#wire = undefined
  }

  fail(error: GatewayError): void {
    if (this.over) return
    this.hangUp()
    this.onFail(error)
  }

  // What the wire tells, in this order.

  requestStarted(wire: { abort(reason: Error): void }): void {
    this.#wire = wire
    this.sent = true
  }

  answerStarted(status: number, head: HeaderTable): void {
    if (this.over) return
    const { maxBytes, origin } = this.target
    this.#head = head
    this.status = status
    this.type = mediaType(head.get('content-type'))
    const length = Number(head.get('content-length') ?? 0)
    if (length > maxBytes) return this.fail(tooLargeAnswer(maxBytes))
    const encoding = head.get('content-encoding')
    if (encoding !== undefined) this.#decoder = openDecoder(encoding, origin, maxBytes, this)
    if (status < 300 && this.type === 'text/event-stream') this.#parser = this.#createParser()
    else if (length > 0 && !this.#decoder) this.body = Buffer.allocUnsafe(length)
    if (!this.over) this.onStart(this)
  }

  /** The bytes are the wire's and change after this; what is kept of them is copied. */
  bytesCame(bytes: Buffer): void {
    if (this.over) return
    if (this.#decoder) this.#decoder.write(Buffer.from(bytes))
    else this.decoded(bytes)
  }

  answerEnded(): void {
    this.#wire = undefined
    if (this.over) return
    if (this.#decoder) this.#decoder.end()
    else this.decodedEnd()
  }

  failed(error: Error): void {
    this.#wire = undefined
    this.fail(networkFailure(error, this.target.origin, !this.sent))
  }

  // What the decoder tells; without one it is the wire itself.

  decoded(bytes: Buffer): void {
    if (this.over) return
    try {
      if (this.#parser) this.#parser.push(Buffer.from(bytes))
      else this.#collect(bytes)
    } catch (error) {
      this.fail(networkFailure(error, this.target.origin, false))
    }
  }

  decodedEnd(): void {
    if (this.over) return
    this.over = true
    if (this.#stash) this.body = this.#stash.take()
    this.onEnd(this)
  }

  #createParser(): SseParser {
    return createSseParser({
      maxEventBytes: this.target.maxBytes,
      onEvent: (event) => {
        if (!this.over) this.onEvent(event)
      },
      onRetry: (delayMs) => this.onRetry(delayMs),
    })
  }

  #collect(bytes: Buffer): void {
    const { maxBytes, origin } = this.target
    const end = this.#bytes + bytes.length
    if (end > maxBytes) throw tooLargeAnswer(maxBytes)
    if (this.body.length === 0) {
      this.#stash ??= new ByteStash()
      this.#stash.append(Buffer.from(bytes))
    } else if (end <= this.body.length) bytes.copy(this.body, this.#bytes)
    else throw invalidAnswer(`${origin} sent more than it said.`)
    this.#bytes = end
  }
}

const mediaType = (header: string | undefined): string => {
  // As nearly every answer of a call has it.
  if (header === 'application/json' || header === undefined) return header ?? ''
  return header.split(';', 1)[0]!.trim().toLowerCase()
}

/** For those who have hooks of their own; a call is not one of them. */
export class HookedRequest extends Dispatched {
  readonly #hooks: DispatchHooks

  constructor(target: HttpTarget, method: Dispatched['method'], text: string | undefined, hooks: DispatchHooks) {
    super(target, method, text)
    this.#hooks = hooks
  }

  onStart(answer: HttpAnswer): void {
    this.#hooks.onStart?.(answer)
  }

  onEvent(event: SseEvent): void {
    this.#hooks.onEvent(event)
  }

  onRetry(delayMs: number): void {
    this.#hooks.onRetry?.(delayMs)
  }

  onEnd(answer: HttpAnswer): void {
    this.#hooks.onEnd(answer)
  }

  onFail(error: GatewayError): void {
    this.#hooks.onFail(error)
  }
}

import type { Dispatcher } from 'undici'
import type { GatewayError } from '../../errors.js'
import { ByteStash, createSseParser, type SseEvent, type SseParser } from '../framing.js'
import { invalidAnswer, networkFailure, tooLargeAnswer } from './failure.js'

export interface HttpRequest {
  readonly origin: string
  readonly path: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Names and values in turn, the form that undici takes without another look. */
  readonly headers: string[]
  readonly body: string | null
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** `application/json`, without parameters, in lower case; empty when there is none. */
  readonly type: string
  /** The whole body, unless it is a stream of events. */
  readonly body: Buffer
}

export interface DispatchHooks {
  /** Status and headers are here; a body may follow. */
  onStart?(answer: Omit<HttpAnswer, 'body'>): void
  onEvent(event: SseEvent): void
  onRetry?(delayMs: number): void
  onEnd(answer: HttpAnswer): void
  onFail(error: GatewayError): void
}

export interface DispatchedRequest {
  readonly sent: boolean
  readonly lastEventId: string | undefined
  /** Closes the stream; no hook is called after it. */
  cancel(): void
}

/**
 * One request and its answer, over undici's `dispatch`: its `request` and `fetch` build streams around every answer,
 * which costs more than all the rest of a call. Bytes are counted as they come, so an endless answer ends here.
 */
export const dispatchRequest = (
  dispatcher: Dispatcher,
  request: HttpRequest,
  maxBytes: number,
  hooks: DispatchHooks,
): DispatchedRequest => {
  const exchange = new Dispatched(request, maxBytes, hooks)
  try {
    dispatcher.dispatch(request, exchange)
  } catch (error) {
    exchange.fail(networkFailure(error, request.origin, true))
  }
  return exchange
}

const noBody = Buffer.alloc(0)
const noAnswer: Omit<HttpAnswer, 'body'> = { status: 0, headers: {}, type: '' }

const mediaType = (header: string | string[] | undefined): string => {
  // As nearly every answer of a call has it.
  if (header === 'application/json') return header
  return String(header ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase()
}

class Dispatched implements DispatchedRequest, Dispatcher.DispatchHandler {
  sent = false
  #over = false
  #controller: Dispatcher.DispatchController | undefined
  #answer: Omit<HttpAnswer, 'body'> | undefined
  #parser: SseParser | undefined
  #stash: ByteStash | undefined
  readonly #request: HttpRequest
  readonly #maxBytes: number
  readonly #hooks: DispatchHooks

  constructor(request: HttpRequest, maxBytes: number, hooks: DispatchHooks) {
    this.#request = request
    this.#maxBytes = maxBytes
    this.#hooks = hooks
  }

  get lastEventId(): string | undefined {
    return this.#parser?.lastEventId
  }

  cancel(): void {
    this.#over = true
    this.#controller?.abort(cancelled)
  }

  fail(error: GatewayError): void {
    if (this.#over) return
    this.cancel()
    this.#hooks.onFail(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Cancelled while it waited for a connection: aborting here keeps it from being written at all.
    if (this.#over) controller.abort(cancelled)
    else this.sent = true
  }

  onRequestUpgrade(): void {
    this.fail(invalidAnswer(`${this.#request.origin} tried to change the protocol.`))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#over || status < 200) return
    const type = mediaType(headers['content-type'])
    this.#answer = { status, headers, type }
    const encoding = headers['content-encoding']
    // We never ask for compression, so a compressed answer is either broken or a bomb (T31).
    if (encoding !== undefined && String(encoding).trim().toLowerCase() !== 'identity') {
      this.fail(invalidAnswer(`${this.#request.origin} compressed its answer, which was not asked for.`))
    } else if (Number(headers['content-length'] ?? 0) > this.#maxBytes) {
      this.fail(tooLargeAnswer(this.#maxBytes))
    } else {
      if (status < 300 && type === 'text/event-stream') this.#parser = this.#createParser()
      this.#hooks.onStart?.(this.#answer)
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return
    try {
      if (this.#parser) this.#parser.push(chunk)
      else this.#collect(chunk)
    } catch (error) {
      this.fail(networkFailure(error, this.#request.origin, false))
    }
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#over = true
    this.#controller = undefined
    const { status, headers, type } = this.#answer ?? noAnswer
    this.#hooks.onEnd({ status, headers, type, body: this.#stash?.take() ?? noBody })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(networkFailure(error, this.#request.origin, !this.sent))
  }

  #createParser(): SseParser {
    return createSseParser({
      maxEventBytes: this.#maxBytes,
      onEvent: (event) => {
        if (!this.#over) this.#hooks.onEvent(event)
      },
      onRetry: (delayMs) => this.#hooks.onRetry?.(delayMs),
    })
  }

  #collect(chunk: Buffer): void {
    this.#stash ??= new ByteStash()
    if (this.#stash.length + chunk.length > this.#maxBytes) throw tooLargeAnswer(this.#maxBytes)
    this.#stash.append(chunk)
  }
}

const cancelled = new Error('cancelled')

import type { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { SseEvent } from '../framing.js'
import { type ParseLimits, readMessage, sourceLimits } from '../parse.js'
import type { RpcError } from '../rpc-error.js'
import { invalidAnswer, unavailable } from './failure.js'
import { answerFailure } from './http-answer.js'
import type { Dispatched, HttpAnswer } from './http-dispatch.js'
import { createHttpEndpoint, type HttpEndpointOptions } from './http-endpoint.js'
import { createStarter, type Start } from './http-transport.js'
import type { ClientTransport, Sending, SendOptions, TransportEvents } from './transport.js'

export interface SseTransportOptions extends HttpEndpointOptions {
  readonly limits?: ParseLimits | undefined
  readonly clock?: Clock | undefined
  /** Until the server names the endpoint for messages. Default: 10 s. */
  readonly openTimeoutMs?: number | undefined
}

/** HTTP+SSE of 2024-11-05: a GET stream brings everything, messages go to an endpoint that the stream names first. */
export const createSseTransport = (options: SseTransportOptions): ClientTransport => {
  const endpoint = createHttpEndpoint(options)
  const limits = options.limits ?? sourceLimits
  const clock = options.clock ?? systemClock
  const place = endpoint.url.origin
  const failureOf = (answer: HttpAnswer): GatewayError | RpcError =>
    answerFailure(answer, { place, hadSession: false, limits, clock })
  let stream: Stream | undefined

  const send = (text: string, { headers, hooks, id }: SendOptions): Sending => {
    const post = stream?.post
    if (!post) {
      hooks.onFail(unavailable(`The stream to ${place} is closed.`, { notSent: true }))
      return { sent: false, cancel: () => {} }
    }
    // The answer comes over the stream; this one only says whether the message was taken.
    const onEnd = (answer: HttpAnswer): void => {
      if (answer.status >= 300) hooks.onFail(failureOf(answer))
      else if (id === undefined) hooks.onEnd()
    }
    const onFail = (error: GatewayError): void => hooks.onFail(error)
    return post('POST', { onEvent: () => {}, onEnd, onFail }, { 'content-type': 'application/json', ...headers }, text)
  }

  return {
    kind: 'sse',
    perRequest: false,
    onlyEra: 'legacy',
    open: (events, signal) => {
      const startAt = (path?: string): Start => createStarter(endpoint, limits.maxBytes, path)
      stream = new Stream({ events, place, limits, base: endpoint.url, startAt, failureOf })
      return stream.open(clock, options.openTimeoutMs ?? 10_000, signal)
    },
    send,
    close: async () => {
      stream?.end(undefined)
      await endpoint.wire.close()
    },
  }
}

interface StreamContext {
  readonly events: TransportEvents
  readonly place: string
  readonly limits: ParseLimits
  readonly base: URL
  startAt(path?: string): Start
  failureOf(answer: HttpAnswer): GatewayError | RpcError
}

class Stream {
  /** Sends to the endpoint for messages; undefined before it is named and after the end. */
  post: Start | undefined
  #over = false
  #exchange: Dispatched | undefined
  #settle: (error?: GatewayError | RpcError) => void = () => {}
  readonly #context: StreamContext

  constructor(context: StreamContext) {
    this.#context = context
  }

  open(clock: Clock, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { place } = this.#context
    return new Promise((resolve, reject) => {
      const late = `${place} named no endpoint within ${timeoutMs} ms: is this an SSE server?`
      const stopTimer = clock.after(timeoutMs, () => this.end(unavailable(late, { notSent: true })))
      const onAbort = (): void => this.end(unavailable('Opening the stream was given up.', { notSent: true }))
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#settle = (error) => {
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
        if (error) reject(error)
        else resolve()
      }
      this.#exchange = this.#context.startAt()(
        'GET',
        {
          onEvent: (event) => this.#onEvent(event),
          onEnd: (answer) => this.#onEnd(answer),
          onFail: (e) => this.end(e),
        },
        { accept: 'text/event-stream' },
      )
    })
  }

  end(error: GatewayError | RpcError | undefined): void {
    if (this.#over) return
    this.#over = true
    const wasOpen = this.post !== undefined
    this.post = undefined
    this.#exchange?.cancel()
    const { events, place } = this.#context
    if (wasOpen) events.onClose(error as GatewayError | undefined)
    else this.#settle(error ?? unavailable(`The stream to ${place} ended before it was open.`, { notSent: true }))
  }

  #onEvent(event: SseEvent): void {
    const { events, limits, place, base } = this.#context
    if (this.post) {
      if (event.event === 'message') readMessage(event.data, limits, events)
    } else if (event.event === 'endpoint') {
      const path = endpointPath(event.data.toString('utf8'), base)
      if (path === undefined) this.end(invalidAnswer(`${place} names an endpoint at another origin, which is refused.`))
      else {
        this.post = this.#context.startAt(path)
        this.#settle()
      }
    }
  }

  #onEnd(answer: HttpAnswer): void {
    const { place } = this.#context
    if (answer.status >= 300) this.end(this.#context.failureOf(answer))
    else if (answer.type === 'text/event-stream') this.end(unavailable(`${place} ended its stream.`))
    else this.end(invalidAnswer(`${place} did not answer with an event stream: is this an SSE endpoint?`))
  }
}

// Another origin would get our messages and headers; the spec wants the same one.
const endpointPath = (text: string, base: URL): string | undefined => {
  if (!URL.canParse(text, base.href)) return undefined
  const target = new URL(text, base)
  return target.origin === base.origin ? target.pathname + target.search : undefined
}

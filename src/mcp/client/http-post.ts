import type { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { isResponse, type RpcMessage } from '../message.js'
import type { ParseLimits } from '../parse.js'
import { type RpcError, rpcCodes } from '../rpc-error.js'
import { answerFailure, unexpectedAnswer } from './http-answer.js'
import type { ExchangeHooks, HttpAnswer, HttpExchange } from './http-exchange.js'
import { readMessage } from './read-message.js'
import type { Sending, SendOptions } from './transport.js'

export interface PostContext {
  readonly place: string
  readonly limits: ParseLimits
  readonly clock: Clock
  /** The session this message goes out with, if any. */
  readonly session: string | undefined
  post(hooks: ExchangeHooks): HttpExchange
  /** Goes on with a stream behind the event that came last; legacy sessions only. */
  resume(lastEventId: string, hooks: ExchangeHooks): HttpExchange
  /** Keeps what an answer to `initialize` says about its session; the failure if that cannot be kept. */
  keepSession(answer: Pick<HttpAnswer, 'headers'>): GatewayError | undefined
}

// A stream whose answer has come should end by itself, which keeps the connection; one that does not is cut.
const endGraceMs = 1000
const maxResumptions = 10
const longestRetryMs = 60_000

/** One message and everything that comes back for it. */
export const startPost = (context: PostContext, options: SendOptions): Sending => {
  const post = new Post(context, options)
  post.start()
  return post
}

class Post implements Sending {
  #exchange: HttpExchange | undefined
  #answered = false
  #over = false
  #resumptions = 0
  #retryMs = 1000
  #stopTimer = () => {}
  readonly #context: PostContext
  readonly #options: SendOptions
  readonly #hooks: ExchangeHooks

  constructor(context: PostContext, options: SendOptions) {
    this.#context = context
    this.#options = options
    this.#hooks = {
      onStart: (answer) => this.#onStart(answer),
      onEvent: (event) => {
        // An event of nothing only marks a place to resume from.
        if (event.data.length > 0) this.#readEvent(event.data)
      },
      onRetry: (delayMs) => {
        this.#retryMs = Math.min(delayMs, longestRetryMs)
      },
      onEnd: (answer) => this.#onEnd(answer),
      onFail: (error) => {
        if (!this.#resume()) this.#finish(() => options.hooks.onFail(error))
      },
    }
  }

  get sent(): boolean {
    return this.#exchange?.sent ?? false
  }

  start(): void {
    this.#exchange = this.#context.post(this.#hooks)
  }

  cancel(): void {
    this.#over = true
    this.#stopTimer()
    this.#exchange?.cancel()
  }

  #finish(end: () => void): void {
    if (this.#over) return
    this.#over = true
    this.#stopTimer()
    end()
  }

  #onStart(answer: Omit<HttpAnswer, 'body'>): void {
    if (answer.status >= 300) return
    // Nothing comes back for a notification, so it is done; a body that some server sends all the same may still end.
    if (this.#options.id === undefined) {
      this.#finish(() => this.#options.hooks.onEnd())
      this.#context.clock.after(endGraceMs, () => this.#exchange?.cancel())
      return
    }
    if (!this.#options.startsSession) return
    // Kept at the headers: the server may use the session on this very stream, before it ends.
    const failure = this.#context.keepSession(answer)
    if (!failure) return
    this.#exchange?.cancel()
    this.#finish(() => this.#options.hooks.onFail(failure))
  }

  #onEnd(answer: HttpAnswer): void {
    const { hooks, id } = this.#options
    const { place, session, limits, clock } = this.#context
    if (answer.status >= 300 || answer.status === 0) {
      const failure = answerFailure(answer, { place, hadSession: session !== undefined, limits, clock })
      this.#finish(() => hooks.onFail(failure))
    } else if (answer.type === 'text/event-stream') {
      if (!this.#resume()) this.#finish(() => hooks.onEnd())
    } else if (id !== undefined && answer.type !== 'application/json') {
      this.#finish(() => hooks.onFail(unexpectedAnswer(answer, place)))
    } else if (!this.#over) {
      readMessage(answer.body, limits, hooks.onMessage, hooks.onRefused)
      this.#finish(() => hooks.onEnd())
    }
  }

  #readEvent(data: Buffer): void {
    const { onNoise, onRefused } = this.#options.hooks
    // Text between the messages is some server's way of staying awake; what breaks a limit was meant as a message.
    const refuse = (error: RpcError): void => (error.code === rpcCodes.parseError ? onNoise(error) : onRefused(error))
    readMessage(data, this.#context.limits, (message) => this.#deliver(message), refuse)
  }

  #deliver(message: RpcMessage): void {
    if (isResponse(message) && (message.id === this.#options.id || message.id === null)) this.#answered = true
    this.#options.hooks.onMessage(message)
    if (!this.#answered || this.#over) return
    this.#stopTimer()
    this.#stopTimer = this.#context.clock.after(endGraceMs, () => this.#exchange?.cancel())
  }

  // A legacy server may end a stream early and go on with it later, if it has named the place (2025-11-25).
  #resume(): boolean {
    const lastEventId = this.#exchange?.lastEventId
    if (this.#over || this.#answered || !lastEventId || this.#context.session === undefined) return false
    if (this.#resumptions++ >= maxResumptions) return false
    this.#stopTimer()
    this.#stopTimer = this.#context.clock.after(this.#retryMs, () => {
      this.#exchange = this.#context.resume(lastEventId, this.#hooks)
    })
    return true
  }
}

import type { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { SseEvent } from '../framing.js'
import { isResponse, type RpcMessage } from '../message.js'
import type { ParseLimits } from '../parse.js'
import { readMessage } from '../parse.js'
import { type RpcError, rpcCodes } from '../rpc-error.js'
import { answerFailure, unexpectedAnswer } from './http-answer.js'
import { Dispatched, type DispatchHooks, type HttpAnswer, type HttpTarget } from './http-dispatch.js'
import type { Sending, SendOptions } from './transport.js'

/** What all messages to one endpoint share. */
export interface PostHost {
  readonly target: HttpTarget
  readonly limits: ParseLimits
  readonly clock: Clock
  /** Goes on with a stream behind the event that came last; legacy sessions only. */
  resume(lastEventId: string, hooks: DispatchHooks): Dispatched
  /** Keeps what an answer to `initialize` says about its session; the failure if that cannot be kept. */
  keepSession(answer: HttpAnswer): GatewayError | undefined
}

// A stream whose answer has come should end by itself, which keeps the connection; one that does not is cut.
const endGraceMs = 1000
const maxResumptions = 10
const longestRetryMs = 60_000

/** One message and everything that comes back for it, also on streams that go on with the first. */
export class Post extends Dispatched implements Sending, DispatchHooks {
  #answered = false
  #told = false
  #resumptions = 0
  #resumed: Dispatched | undefined
  #retryMs = 1000
  #stopTimer: (() => void) | undefined
  readonly #host: PostHost
  /** The session it goes out with, if any. */
  readonly #session: string | undefined
  readonly #options: SendOptions

  constructor(host: PostHost, text: string, session: string | undefined, options: SendOptions) {
    super(host.target, 'POST', text)
    this.#host = host
    this.#session = session
    this.#options = options
  }

  override cancel(): void {
    this.#told = true
    this.#stopTimer?.()
    this.hangUp()
  }

  override hangUp(): void {
    super.hangUp()
    this.#resumed?.hangUp()
  }

  /** True once: whoever ends it first tells its end. */
  #finish(): boolean {
    if (this.#told) return false
    this.#told = true
    this.#stopTimer?.()
    return true
  }

  onEvent(event: SseEvent): void {
    // An event of nothing only marks a place to resume from.
    if (event.data.length > 0) this.#readEvent(event.data)
  }

  onRetry(delayMs: number): void {
    this.#retryMs = Math.min(delayMs, longestRetryMs)
  }

  onFail(error: GatewayError | RpcError): void {
    if (!this.#resume() && this.#finish()) this.#options.hooks.onFail(error)
  }

  onStart(answer: HttpAnswer): void {
    if (answer.status >= 300) return
    // Nothing comes back for a notification, so it is done; a body that some server sends all the same may still end.
    if (this.#options.id === undefined) {
      if (this.#finish()) this.#options.hooks.onEnd()
      this.#host.clock.after(endGraceMs, () => this.hangUp())
      return
    }
    if (!this.#options.startsSession) return
    // Kept at the headers: the server may use the session on this very stream, before it ends.
    const failure = this.#host.keepSession(answer)
    if (!failure) return
    this.hangUp()
    this.#fail(failure)
  }

  onEnd(answer: HttpAnswer): void {
    if (answer.status >= 300 || answer.status === 0) this.#fail(this.#failureOf(answer))
    else if (answer.type === 'text/event-stream') {
      if (!this.#resume()) this.#end()
    } else if (this.#options.id !== undefined && answer.type !== 'application/json') {
      this.#fail(unexpectedAnswer(answer, this.target.origin))
    } else if (!this.#told) {
      readMessage(answer.body, this.#host.limits, this.#options.hooks)
      this.#end()
    }
  }

  #failureOf(answer: HttpAnswer): GatewayError | RpcError {
    const { limits, clock } = this.#host
    const hadSession = this.#session !== undefined
    return answerFailure(answer, { place: this.target.origin, hadSession, limits, clock })
  }

  #end(): void {
    if (this.#finish()) this.#options.hooks.onEnd()
  }

  #fail(failure: GatewayError | RpcError): void {
    if (this.#finish()) this.#options.hooks.onFail(failure)
  }

  #readEvent(data: Buffer): void {
    const { hooks } = this.#options
    readMessage(data, this.#host.limits, {
      onMessage: (message) => this.#deliver(message),
      // Text between the messages is some server's way of staying awake; what breaks a limit was meant as a message.
      onRefused: (error) => (error.code === rpcCodes.parseError ? hooks.onNoise(error) : hooks.onRefused(error)),
    })
  }

  #deliver(message: RpcMessage): void {
    if (isResponse(message) && (message.id === this.#options.id || message.id === null)) this.#answered = true
    this.#options.hooks.onMessage(message)
    if (!this.#answered || this.#told) return
    this.#stopTimer?.()
    this.#stopTimer = this.#host.clock.after(endGraceMs, () => this.hangUp())
  }

  // A legacy server may end a stream early and go on with it later, if it has named the place (2025-11-25).
  #resume(): boolean {
    const lastEventId = this.#resumed?.lastEventId ?? this.lastEventId
    if (this.#told || this.#answered || !lastEventId || this.#session === undefined) return false
    if (this.#resumptions++ >= maxResumptions) return false
    this.#stopTimer?.()
    this.#stopTimer = this.#host.clock.after(this.#retryMs, () => {
      this.#resumed = this.#host.resume(lastEventId, this)
    })
    return true
  }
}

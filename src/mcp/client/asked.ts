import type { GatewayError } from '../../errors.js'
import type { Progress } from '../../model/call.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { RpcMessage, RpcNotification, RpcResponse, RpcResult } from '../message.js'
import { requestAround } from '../message.js'
import { RpcError } from '../rpc-error.js'
import { abortFailure, deadlineFailure, unavailable } from './failure.js'
import type { RequestHandler } from './inbound.js'
import type { ClientTransport, SendHooks, Sending } from './transport.js'

export interface AskOptions {
  /** `Infinity` for streams that stay open. */
  readonly timeoutMs: number
  readonly signal?: CancelSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly startsSession?: boolean | undefined
  /** How the source learns that nobody waits any more; `nothing` where it must not be told (initialize). */
  readonly cancelBy: 'notification' | 'closing' | 'nothing'
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Notifications on this request's own stream; without it they go to the conversation's listener. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined
  readonly onRequest?: RequestHandler | undefined
}

/** What all requests of one conversation share. */
export interface AskedHost {
  readonly transport: ClientTransport
  readonly clock: Clock
  receive(message: RpcMessage, from: Asked): void
  refuse(error: RpcError, from: Asked): void
  noise(): void
  tellCancelled(id: number, reason: string): void
  /** Called before the request is resolved or rejected. */
  forget(id: number): void
}

/**
 * One request of ours until it is settled: by its answer, its deadline, its caller or the end of the connection. It is
 * its own hooks for the transport: a set of functions per call costs more than the call's own work.
 */
export class Asked implements SendHooks {
  #sending: Sending | undefined
  #stopTimer: (() => void) | undefined
  #onAbort: (() => void) | undefined
  #over = false
  #progress = Number.NEGATIVE_INFINITY

  readonly id: number
  readonly method: string
  readonly options: AskOptions
  readonly #host: AskedHost
  readonly #resolve: (result: RpcResult) => void
  readonly #reject: (error: Error) => void

  constructor(
    id: number,
    method: string,
    options: AskOptions,
    host: AskedHost,
    resolve: (result: RpcResult) => void,
    reject: (error: Error) => void,
  ) {
    this.id = id
    this.method = method
    this.options = options
    this.#host = host
    this.#resolve = resolve
    this.#reject = reject
  }

  get sent(): boolean {
    return this.#sending?.sent ?? false
  }

  /** Sends it; `params` are JSON already. */
  start(params: string | undefined): void {
    const { headers, signal, startsSession, timeoutMs } = this.options
    const { clock, transport } = this.#host
    if (signal) {
      this.#onAbort = () => this.#giveUp(abortFailure(signal.reason, this.method, !this.sent))
      signal.addEventListener('abort', this.#onAbort, { once: true })
    }
    if (Number.isFinite(timeoutMs)) {
      this.#stopTimer = clock.after(timeoutMs, () => this.#giveUp(deadlineFailure(this.method, timeoutMs, !this.sent)))
    }
    const text = requestAround(this.id, this.method, params)
    this.#sending = transport.send(text, { id: this.id, headers, startsSession, hooks: this })
  }

  onMessage(message: RpcMessage): void {
    this.#host.receive(message, this)
  }

  onRefused(error: RpcError): void {
    this.#host.refuse(error, this)
  }

  onNoise(): void {
    this.#host.noise()
  }

  onEnd(): void {
    // Asked first, since making an error costs more than all the rest of a call.
    if (this.#over) return
    this.fail(unavailable(`The source ended the answer to ${this.method} before it was complete.`))
  }

  onFail(error: GatewayError | RpcError): void {
    this.fail(error)
  }

  settle(message: RpcResponse): void {
    if (message.kind === 'result') {
      if (this.#finish()) this.#resolve(message)
    } else this.fail(new RpcError(message.error.code, message.error.message, { data: message.error.data }))
  }

  fail(error: Error): void {
    if (this.#finish()) this.#reject(error)
  }

  /** False when it goes nowhere: nobody asked for it, or it does not grow, which the spec demands. */
  progressed(progress: Progress): boolean {
    if (!this.options.onProgress || progress.progress <= this.#progress) return false
    this.#progress = progress.progress
    this.options.onProgress(progress)
    return true
  }

  #giveUp(error: GatewayError): void {
    if (this.#over) return
    if (this.options.cancelBy === 'notification' && this.sent) this.#host.tellCancelled(this.id, error.message)
    this.#sending?.cancel()
    this.fail(error)
  }

  /** True once: whoever ends it first tells its end. */
  #finish(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#stopTimer?.()
    if (this.#onAbort) this.options.signal?.removeEventListener('abort', this.#onAbort)
    this.#host.forget(this.id)
    return true
  }
}

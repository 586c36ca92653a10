import type { GatewayError } from '../../errors.js'
import type { Progress } from '../../model/call.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { RpcNotification, RpcResponse, RpcResult } from '../message.js'
import { RpcError } from '../rpc-error.js'
import { requestText } from '../serialise.js'
import { abortFailure, deadlineFailure, unavailable } from './failure.js'
import type { RequestHandler } from './inbound.js'
import type { ClientTransport, SendHooks, Sending } from './transport.js'

export interface AskOptions {
  /** `Infinity` for streams that stay open. */
  readonly timeoutMs: number
  readonly signal?: CancelSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly startsSession?: boolean
  /** How the source learns that nobody waits any more; `nothing` where it must not be told (initialize). */
  readonly cancelBy: 'notification' | 'closing' | 'nothing'
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Notifications on this request's own stream; without it they go to the conversation's listener. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined
  readonly onRequest?: RequestHandler | undefined
}

export interface AskedHooks extends Pick<SendHooks, 'onMessage' | 'onRefused' | 'onNoise'> {
  tellCancelled(reason: string): void
}

export interface AskedDone {
  resolve(result: RpcResult): void
  reject(error: Error): void
  /** Called before either of them. */
  forget(): void
}

/** One request of ours until it is settled: by its answer, its deadline, its caller or the end of the connection. */
export class Asked {
  #sending: Sending | undefined
  #stopTimer = () => {}
  #over = false
  #progress = Number.NEGATIVE_INFINITY
  #giveUp: ((error: GatewayError) => void) | undefined

  readonly id: number
  readonly method: string
  readonly options: AskOptions
  readonly #done: AskedDone

  constructor(id: number, method: string, options: AskOptions, done: AskedDone) {
    this.id = id
    this.method = method
    this.options = options
    this.#done = done
  }

  get sent(): boolean {
    return this.#sending?.sent ?? false
  }

  start(transport: ClientTransport, clock: Clock, params: JsonObject | undefined, hooks: AskedHooks): void {
    const { headers, signal, startsSession, timeoutMs } = this.options
    this.#giveUp = (error) => {
      if (this.options.cancelBy === 'notification' && this.sent) hooks.tellCancelled(error.message)
      this.#sending?.cancel()
      this.fail(error)
    }
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (Number.isFinite(timeoutMs)) {
      this.#stopTimer = clock.after(timeoutMs, () =>
        this.#giveUp?.(deadlineFailure(this.method, timeoutMs, !this.sent)),
      )
    }
    this.#sending = transport.send(requestText(this.id, this.method, params), {
      id: this.id,
      ...(headers ? { headers } : {}),
      ...(startsSession ? { startsSession } : {}),
      hooks: {
        onMessage: hooks.onMessage,
        onRefused: hooks.onRefused,
        onNoise: hooks.onNoise,
        onEnd: () => {
          // Asked first, since making an error costs more than all the rest of a call.
          if (this.#over) return
          this.fail(unavailable(`The source ended the answer to ${this.method} before it was complete.`))
        },
        onFail: (error) => this.fail(error),
      },
    })
  }

  settle(message: RpcResponse): void {
    if (message.kind === 'result') this.#finish(() => this.#done.resolve(message))
    else this.fail(new RpcError(message.error.code, message.error.message, { data: message.error.data }))
  }

  fail(error: Error): void {
    this.#finish(() => this.#done.reject(error))
  }

  /** False when it goes nowhere: nobody asked for it, or it does not grow, which the spec demands. */
  progressed(progress: Progress): boolean {
    if (!this.options.onProgress || progress.progress <= this.#progress) return false
    this.#progress = progress.progress
    this.options.onProgress(progress)
    return true
  }

  #finish(end: () => void): void {
    if (this.#over) return
    this.#over = true
    this.#stopTimer()
    this.#giveUp = undefined
    this.options.signal?.removeEventListener('abort', this.#onAbort)
    this.#done.forget()
    end()
  }

  readonly #onAbort = (): void => {
    this.#giveUp?.(abortFailure(this.options.signal?.reason, this.method, !this.sent))
  }
}

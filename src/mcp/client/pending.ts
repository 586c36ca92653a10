import type { GatewayError } from '../../errors.js'
import type { Progress } from '../../model/call.js'
import { type CancelSignal, once } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { type RpcMessage, type RpcNotification, type RpcResponse, type RpcResult, requestAround } from '../message.js'
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

/** Who waits for an answer: an object, so that a call can be its own and needs no functions made for it. */
export interface Waiter {
  answered(message: RpcResult): void
  failed(error: Error): void
}

/** What all requests of one conversation share. */
export interface PendingHost {
  readonly transport: ClientTransport
  readonly clock: Clock
  receive(message: RpcMessage, from: PendingRequest): void
  refuse(error: RpcError, from: PendingRequest): void
  noise(): void
  tellCancelled(id: number, reason: string): void
  /** Called before the request is resolved or rejected. */
  forget(id: number): void
}

/**
 * One request of ours until it is settled: by its answer, its deadline, its caller or the end of the connection. It is
 * its own hooks for the transport: a set of functions per call costs more than the call's own work.
 */
export class PendingRequest implements SendHooks {
  #sending: Sending | undefined
  #stopTimer: (() => void) | undefined
  #over = false
  #progress = Number.NEGATIVE_INFINITY

  readonly id: number
  readonly method: string
  readonly options: AskOptions
  readonly #host: PendingHost
  readonly #waiter: Waiter

  constructor(id: number, method: string, options: AskOptions, host: PendingHost, waiter: Waiter) {
    this.id = id
    this.method = method
    this.options = options
    this.#host = host
    this.#waiter = waiter
  }

  get sent(): boolean {
    return this.#sending?.sent ?? false
  }

  /** Sends it; `params` are JSON already. */
  start(params: string | undefined): void {
    const { headers, signal, startsSession, timeoutMs } = this.options
    const { clock, transport } = this.#host
    signal?.addEventListener('abort', this, once)
    if (Number.isFinite(timeoutMs)) {
      this.#stopTimer = clock.after(timeoutMs, () => this.#giveUp(deadlineFailure(this.method, timeoutMs, !this.sent)))
    }
    const text = requestAround(this.id, this.method, params)
    this.#sending = transport.send(text, { id: this.id, headers, startsSession, hooks: this })
  }

  /** Its caller left, or its time is up. */
  handleEvent(): void {
    this.#giveUp(abortFailure(this.options.signal?.reason, this.method, !this.sent))
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
      if (this.#finish()) this.#waiter.answered(message)
    } else this.fail(new RpcError(message.error.code, message.error.message, { data: message.error.data }))
  }

  fail(error: Error): void {
    if (this.#finish()) this.#waiter.failed(error)
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
    this.options.signal?.removeEventListener('abort', this)
    this.#host.forget(this.id)
    return true
  }
}

/**
 * Entries by a number of their own that only grows. A ring instead of a Map: V8 keeps each outgrown table of a Map alive
 * by the one before it, so a Map whose entries come and go promotes every request to V8's old generation (measured: twice
 * the CPU per call at 64 in flight).
 */
export class PendingTable<T extends { readonly id: number }> {
  #slots: (T | undefined)[] = emptySlots(64)
  #size = 0
  #lastId = 0

  get size(): number {
    return this.#size
  }

  get lastId(): number {
    return this.#lastId
  }

  /** The id of the next entry, which is then `add`ed under it. */
  nextId(): number {
    if (this.#size >= this.#slots.length / 2) this.#grow()
    // A long-lived entry may still sit where its successor would go; at least every second slot is free.
    do this.#lastId++
    while (this.#slots[this.#lastId % this.#slots.length] !== undefined)
    return this.#lastId
  }

  add(entry: T): void {
    this.#slots[entry.id % this.#slots.length] = entry
    this.#size++
  }

  /** Anything may be asked for: ids come from the other side. */
  get(id: unknown): T | undefined {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return undefined
    const entry = this.#slots[id % this.#slots.length]
    return entry?.id === id ? entry : undefined
  }

  delete(id: number): void {
    const slot = id % this.#slots.length
    if (this.#slots[slot]?.id !== id) return
    this.#slots[slot] = undefined
    this.#size--
  }

  values(): readonly T[] {
    return this.#slots.filter((entry) => entry !== undefined)
  }

  #grow(): void {
    const entries = this.values()
    this.#slots = emptySlots(this.#slots.length * 2)
    // Two entries apart in the smaller ring are apart in the doubled one.
    for (const entry of entries) this.#slots[entry.id % this.#slots.length] = entry
  }
}

const emptySlots = (length: number): undefined[] => new Array(length).fill(undefined)

export interface ReadProgress {
  readonly token: unknown
  /** Undefined when the notification is not one. */
  readonly progress: Progress | undefined
}

/** The params of `notifications/progress`, whatever they are. */
export const readProgress = (params: JsonObject | undefined): ReadProgress => {
  const { progressToken: token, progress, total, message } = params ?? {}
  if (typeof progress !== 'number') return { token, progress: undefined }
  return {
    token,
    progress: {
      progress,
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message : undefined,
    },
  }
}

/**
 * The params of a request as this source's era wants them, on their way to text. `_meta` is put behind them there: what
 * we say about ourselves is nearly always the same text, and building it as an object cost more than all of the rest.
 */
export class RequestParams {
  /** Without `_meta`. */
  readonly params: JsonObject | undefined
  readonly #meta: JsonObject | undefined
  readonly #stamp: string

  constructor(params: JsonObject | undefined, meta: JsonObject | undefined, stamp: string) {
    this.params = params
    this.#meta = meta
    this.#stamp = stamp
  }

  /** Undefined where there is nothing to say. The token goes out when somebody listens for progress. */
  toText(token: number | undefined): string | undefined {
    const own = this.#meta ? JSON.stringify(this.#meta).slice(1, -1) : ''
    const told = token === undefined ? '' : `"progressToken":${token}`
    const meta = joined(joined(own, this.#stamp), told)
    const text = this.params && JSON.stringify(this.params)
    if (meta === '') return text
    return text === undefined || text === '{}' ? `{"_meta":{${meta}}}` : `${text.slice(0, -1)},"_meta":{${meta}}}`
  }
}

const joined = (a: string, b: string): string => (a === '' ? b : b === '' ? a : `${a},${b}`)

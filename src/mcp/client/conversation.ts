import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { RpcMessage, RpcNotification, RpcResponse, RpcResult } from '../message.js'
import { metaKeys, metaOf, notificationText } from '../message.js'
import { RpcError, rpcCodes } from '../rpc-error.js'
import { abortFailure, deadlineFailure, invalidAnswer, unavailable } from './failure.js'
import { createInbound, type Inbound, type RequestHandler } from './inbound.js'
import {
  type AskOptions,
  type PendingHost,
  PendingRequest,
  PendingTable,
  RequestParams,
  readProgress,
  type Waiter,
} from './pending.js'
import type { ClientTransport, SendHooks } from './transport.js'

export interface ConversationStats {
  /** Answers to requests that nobody waits for any more, repeated ones included. */
  lateAnswers: number
  /** Answers to requests we never sent, or on another request's stream. */
  foreignAnswers: number
  /** Lines and events that are no message. */
  noise: number
  /** Progress that fell, or that belongs to no request. */
  droppedProgress: number
}

export interface ConversationOptions {
  readonly transport: ClientTransport
  readonly clock: Clock
  readonly maxInFlight: number
  /** Headers of the agreed session, for notifications and answers. */
  readonly headers: () => Readonly<Record<string, string>>
  /** False once the era is modern: such a client must not answer requests. */
  readonly mayAnswer: () => boolean
  readonly onNotification: (message: RpcNotification) => void
  readonly onRequest?: RequestHandler | undefined
}

/** Requests in flight over one transport, with ids and progress tokens of our own, so that no caller's can collide (T7). */
export class Conversation implements PendingHost {
  readonly transport: ClientTransport
  readonly clock: Clock
  readonly stats: ConversationStats = { lateAnswers: 0, foreignAnswers: 0, noise: 0, droppedProgress: 0 }
  readonly #options: ConversationOptions
  readonly #pending = new PendingTable<PendingRequest>()
  readonly #inbound: Inbound

  constructor(options: ConversationOptions) {
    this.#options = options
    this.transport = options.transport
    this.clock = options.clock
    this.#inbound = createInbound((text) => {
      this.transport.send(text, { headers: options.headers(), hooks: ignored })
    })
  }

  get inFlight(): number {
    return this.#pending.size
  }

  /** Sends a request; the waiter is told its end, perhaps before this returns. */
  send(method: string, params: JsonObject | RequestParams | undefined, options: AskOptions, waiter: Waiter): void {
    const { maxInFlight } = this.#options
    const { signal } = options
    if (signal?.aborted) return waiter.failed(abortFailure(signal.reason, method, true))
    if (this.#pending.size >= maxInFlight) return waiter.failed(overloaded(maxInFlight))
    const entry = new PendingRequest(this.#pending.nextId(), method, options, this, waiter)
    this.#pending.add(entry)
    try {
      entry.start(textOf(params, options.onProgress ? entry.id : undefined))
    } catch (error) {
      // Arguments of this process may be what JSON cannot hold.
      entry.fail(error as Error)
    }
  }

  ask(method: string, params: JsonObject | RequestParams | undefined, options: AskOptions): Promise<RpcResult> {
    return new Promise((answered, failed) => this.send(method, params, options, { answered, failed }))
  }

  /** Resolves when the notification has left, rejects when it could not. */
  tell(method: string, params?: JsonObject): Promise<void> {
    return new Promise((resolve, reject) => {
      const hooks: SendHooks = {
        ...ignored,
        onEnd: () => {
          stopTimer()
          resolve()
        },
        onFail: (error) => {
          stopTimer()
          reject(error)
        },
      }
      const stopTimer = this.clock.after(tellTimeoutMs, () => {
        sending.cancel()
        reject(deadlineFailure(method, tellTimeoutMs, !sending.sent))
      })
      const headers = this.#options.headers()
      const sending = this.transport.send(notificationText(method, params), { headers, hooks })
    })
  }

  receive(message: RpcMessage, from?: PendingRequest): void {
    switch (message.kind) {
      case 'request':
        if (this.#options.mayAnswer()) this.#inbound.answer(message, this.#handlerFor(from ?? this.#loneCause()))
        break
      case 'notification':
        this.#notice(message, from)
        break
      default:
        this.#settle(message, from)
    }
  }

  refuse(error: RpcError, from?: PendingRequest): void {
    this.stats.noise++
    const entry = error.id === null ? from : this.#pending.get(error.id)
    if (!entry || (from && from !== entry)) return
    entry.fail(invalidAnswer(`The source's answer to ${entry.method} is refused: ${error.message}`, { cause: error }))
  }

  noise(): void {
    this.stats.noise++
  }

  tellCancelled(requestId: number, reason: string): void {
    this.tell('notifications/cancelled', { requestId, reason }).catch(() => {})
  }

  forget(id: number): void {
    this.#pending.delete(id)
  }

  /** Ends everything in flight. */
  end(reason: GatewayError): void {
    this.#inbound.abortAll()
    for (const entry of this.#pending.values()) entry.fail(entry.sent ? reason : notSentCopy(reason))
  }

  /** Where no stream tells, a message belongs to the one request that can have caused it, if there is just one. */
  #loneCause(): PendingRequest | 'several' | undefined {
    const causes = this.#pending.values().filter(({ method }) => !causesNothing.has(method))
    return causes.length > 1 ? 'several' : causes[0]
  }

  #handlerFor(from: PendingRequest | 'several' | undefined): RequestHandler | undefined {
    return from === 'several' ? refuseAmbiguous : (from?.options.onRequest ?? this.#options.onRequest)
  }

  #settle(message: RpcResponse, from: PendingRequest | undefined): void {
    const id = message.id ?? from?.id ?? null
    const entry = this.#pending.get(id)
    if (entry && (!from || from === entry)) entry.settle(message)
    else if (typeof id === 'number' && id > 0 && id <= this.#pending.lastId && (!from || from.id === id))
      this.stats.lateAnswers++
    else this.stats.foreignAnswers++
  }

  #notice(message: RpcNotification, from: PendingRequest | undefined): void {
    if (message.method === 'notifications/progress') this.#progressed(message)
    else if (message.method === 'notifications/cancelled') this.#cancelled(message.params?.requestId)
    else {
      // On a pipe only the subscription id says which `subscriptions/listen` a notification belongs to.
      const owner =
        from ??
        this.#pending.get(metaOf(message.params)?.[metaKeys.subscriptionId]) ??
        (message.method === 'notifications/message' ? this.#loneCause() : undefined)
      const listener = (owner === 'several' ? undefined : owner?.options.onNotification) ?? this.#options.onNotification
      listener(message)
    }
  }

  #progressed(message: RpcNotification): void {
    const { token, progress } = readProgress(message.params)
    if (!progress || !this.#pending.get(token)?.progressed(progress)) this.stats.droppedProgress++
  }

  #cancelled(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.#inbound.cancel(id)
    // A server may end a subscription this way; for any other request of ours a cancel by the source means nothing.
    const entry = this.#pending.get(id)
    if (entry?.method === 'subscriptions/listen') entry.fail(unavailable('The source ended the subscription.'))
  }
}

const tellTimeoutMs = 10_000

// During these a server has no reason to ask or to log for somebody.
const causesNothing: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'subscriptions/listen',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
])

const refuseAmbiguous: RequestHandler = () => {
  throw new RpcError(
    rpcCodes.invalidRequest,
    'Several calls are running on this connection, so it is not known whom this asks; nobody was asked.',
  )
}

const ignored: SendHooks = {
  onMessage: () => {},
  onRefused: () => {},
  onNoise: () => {},
  onEnd: () => {},
  onFail: () => {},
}

const textOf = (params: JsonObject | RequestParams | undefined, token: number | undefined): string | undefined => {
  if (params instanceof RequestParams) return params.toText(token)
  const all = token === undefined ? params : { ...params, _meta: { ...metaOf(params), progressToken: token } }
  return all && JSON.stringify(all)
}

const overloaded = (maxInFlight: number): GatewayError =>
  new GatewayError('OVERLOADED', `The source already has ${maxInFlight} requests in flight.`, { notSent: true })

const notSentCopy = (reason: GatewayError): GatewayError =>
  new GatewayError(reason.code, reason.message, { cause: reason, notSent: true })

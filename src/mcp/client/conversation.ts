import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { RpcMessage, RpcNotification, RpcResponse, RpcResult } from '../message.js'
import { metaKeys, metaOf, notificationText } from '../message.js'
import { RpcError, rpcCodes } from '../rpc-error.js'
import { Asked, type AskedHost, type AskOptions } from './asked.js'
import { RequestParams } from './envelope.js'
import { abortFailure, deadlineFailure, invalidAnswer, unavailable } from './failure.js'
import { createInFlight } from './in-flight.js'
import { createInbound, type RequestHandler } from './inbound.js'
import { readProgress } from './progress.js'
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

export interface Conversation {
  readonly inFlight: number
  readonly stats: Readonly<ConversationStats>
  ask(method: string, params: JsonObject | RequestParams | undefined, options: AskOptions): Promise<RpcResult>
  /** Resolves when the notification has left, rejects when it could not. */
  tell(method: string, params?: JsonObject): Promise<void>
  receive(message: RpcMessage): void
  refuse(error: RpcError): void
  /** Ends everything in flight. */
  end(reason: GatewayError): void
}

/** Requests in flight over one transport, with ids and progress tokens of our own, so that no caller's can collide (T7). */
export const createConversation = (options: ConversationOptions): Conversation => {
  const { transport, clock } = options
  const stats: ConversationStats = { lateAnswers: 0, foreignAnswers: 0, noise: 0, droppedProgress: 0 }
  const asked = createInFlight<Asked>()
  const inbound = createInbound((text) => {
    transport.send(text, { headers: options.headers(), hooks: ignored })
  })

  const ask: Conversation['ask'] = (method, params, askOptions) =>
    new Promise((resolve, reject) => {
      const { signal } = askOptions
      if (signal?.aborted) return reject(abortFailure(signal.reason, method, true))
      if (asked.size >= options.maxInFlight) return reject(overloaded(options.maxInFlight))
      const entry = asked.add((id) => new Asked(id, method, askOptions, host, resolve, reject))
      try {
        entry.start(textOf(params, askOptions.onProgress ? entry.id : undefined))
      } catch (error) {
        // Arguments of this process may be what JSON cannot hold.
        entry.fail(error as Error)
      }
    })

  const tell = (method: string, params?: JsonObject): Promise<void> =>
    new Promise((resolve, reject) => {
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
      const stopTimer = clock.after(tellTimeoutMs, () => {
        sending.cancel()
        reject(deadlineFailure(method, tellTimeoutMs, !sending.sent))
      })
      const sending = transport.send(notificationText(method, params), { headers: options.headers(), hooks })
    })

  const receive = (message: RpcMessage, from?: Asked): void => {
    switch (message.kind) {
      case 'request':
        if (options.mayAnswer()) inbound.answer(message, handlerFor(from ?? loneCause()))
        break
      case 'notification':
        notice(message, from)
        break
      default:
        settle(message, from)
    }
  }

  /** Where no stream tells, a message belongs to the one request that can have caused it, if there is just one. */
  const loneCause = (): Asked | 'several' | undefined => {
    const causes = asked.values().filter(({ method }) => !causesNothing.has(method))
    return causes.length > 1 ? 'several' : causes[0]
  }

  const handlerFor = (from: Asked | 'several' | undefined): RequestHandler | undefined =>
    from === 'several' ? refuseAmbiguous : (from?.options.onRequest ?? options.onRequest)

  const settle = (message: RpcResponse, from: Asked | undefined): void => {
    const id = message.id ?? from?.id ?? null
    const entry = asked.get(id)
    if (entry && (!from || from === entry)) entry.settle(message)
    else if (typeof id === 'number' && id > 0 && id <= asked.lastId && (!from || from.id === id)) stats.lateAnswers++
    else stats.foreignAnswers++
  }

  const notice = (message: RpcNotification, from: Asked | undefined): void => {
    if (message.method === 'notifications/progress') progressed(message)
    else if (message.method === 'notifications/cancelled') cancelled(message.params?.requestId)
    else {
      // On a pipe only the subscription id says which `subscriptions/listen` a notification belongs to.
      const owner =
        from ??
        asked.get(metaOf(message.params)?.[metaKeys.subscriptionId]) ??
        (message.method === 'notifications/message' ? loneCause() : undefined)
      const listener = (owner === 'several' ? undefined : owner?.options.onNotification) ?? options.onNotification
      listener(message)
    }
  }

  const progressed = (message: RpcNotification): void => {
    const { token, progress } = readProgress(message.params)
    if (!progress || !asked.get(token)?.progressed(progress)) stats.droppedProgress++
  }

  const cancelled = (id: unknown): void => {
    if (typeof id !== 'string' && typeof id !== 'number') return
    inbound.cancel(id)
    // A server may end a subscription this way; for any other request of ours a cancel by the source means nothing.
    const entry = asked.get(id)
    if (entry?.method === 'subscriptions/listen') entry.fail(unavailable('The source ended the subscription.'))
  }

  const refuse = (error: RpcError, from?: Asked): void => {
    stats.noise++
    const entry = error.id === null ? from : asked.get(error.id)
    if (!entry || (from && from !== entry)) return
    entry.fail(invalidAnswer(`The source's answer to ${entry.method} is refused: ${error.message}`, { cause: error }))
  }

  const host: AskedHost = {
    transport,
    clock,
    receive,
    refuse,
    noise: () => void stats.noise++,
    tellCancelled: (requestId, reason) => {
      tell('notifications/cancelled', { requestId, reason }).catch(() => {})
    },
    forget: (id) => asked.delete(id),
  }

  return {
    get inFlight() {
      return asked.size
    },
    stats,
    ask,
    tell,
    receive,
    refuse,
    end: (reason) => {
      inbound.abortAll()
      for (const entry of asked.values()) entry.fail(entry.sent ? reason : notSentCopy(reason))
    },
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

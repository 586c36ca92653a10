import { isGatewayError } from '../../errors.js'
import { type CancelSignal, until } from '../../model/cancel.js'
import { systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { requestHeaders } from '../headers.js'
import { type ClientStamp, metaOf, type RpcResult, stampRequest, stripReserved } from '../message.js'
import { isRpcError } from '../rpc-error.js'
import type { ClientPeer, ClientPeerOptions, RequestOptions } from './client-peer.js'
import { Connection, guarded } from './connection.js'
import type { ConversationStats } from './conversation.js'
import { abortFailure, invalidAnswer } from './failure.js'
import { legacyHeaders, type PeerInfo, type Verdict } from './handshake.js'
import { type Listing, type PagingLimits, readPages } from './paging.js'
import { RequestParams } from './pending.js'
import { keepSubscription } from './streams.js'
import type { ClientTransport } from './transport.js'

/** One source behind one transport. Nothing is sent before `connect` or the first request. */
export const createClientPeer = (transport: ClientTransport, options: ClientPeerOptions): SharablePeer => {
  const connection = new Connection(transport, options, options.clock ?? systemClock)
  return new Peer({ transport, options, connection, ask: createAsk(transport, options, connection) })
}

/** A peer that several may hold. */
export interface SharablePeer extends ClientPeer {
  /** The same peer in one holder's hand: only `close` is that holder's own. */
  leased(close: () => Promise<void>): ClientPeer
}

interface PeerParts {
  readonly transport: ClientTransport
  readonly options: ClientPeerOptions
  readonly connection: Connection
  readonly ask: Ask
}

/** A class, so that all peers, leased or not and over whatever transport, look alike to the calls that go through them. */
class Peer implements SharablePeer {
  readonly #parts: PeerParts
  readonly #connection: Connection
  readonly #ask: Ask
  readonly #close: () => Promise<void>

  constructor(parts: PeerParts, close: () => Promise<void> = () => parts.connection.close()) {
    this.#parts = parts
    this.#connection = parts.connection
    this.#ask = parts.ask
    this.#close = close
  }

  get info(): PeerInfo | undefined {
    return this.#connection.info
  }

  get verdict(): Verdict | undefined {
    return this.#connection.verdict
  }

  get sessionful(): boolean {
    return this.#parts.transport.sessionful !== false
  }

  get inFlight(): number {
    return this.#connection.conversation.inFlight
  }

  get stats(): Readonly<ConversationStats> {
    return this.#connection.conversation.stats
  }

  leased(close: () => Promise<void>): ClientPeer {
    return new Peer(this.#parts, close)
  }

  connect(): Promise<PeerInfo> {
    return this.#connection.connect()
  }

  request(method: string, params?: JsonObject, request: RequestOptions = {}): Promise<JsonObject> {
    return this.#ask(method, params, request).then(resultOf)
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    await this.#connection.connect()
    await this.#connection.conversation.tell(method, params)
  }

  async listAll(method: string, key: string, request: RequestOptions & PagingLimits = {}): Promise<Listing> {
    const { era } = await connected(this.#connection, method, request)
    return readPages(key, era, request, (cursor) => this.#ask(method, cursor === undefined ? {} : { cursor }, request))
  }

  async ping(request: RequestOptions = {}): Promise<void> {
    const { era } = await connected(this.#connection, 'ping', request)
    await this.#ask(era === 'modern' ? 'server/discover' : 'ping', undefined, request)
  }

  listen(notifications: JsonObject): () => void {
    const { options } = this.#parts
    const { logger } = this.#connection
    const stop = keepSubscription({
      clock: options.clock ?? systemClock,
      random: options.random,
      listen: async (onNotification, signal) => {
        // A legacy source announces unasked; there is nothing to keep open.
        if ((await this.#connection.connect()).era === 'legacy') return new Promise(() => {})
        const endless = { timeoutMs: Number.POSITIVE_INFINITY, signal, onNotification }
        return this.#ask('subscriptions/listen', { notifications }, endless)
      },
      onNotification: guarded(logger, options.onNotification),
      onResync: () => guarded<void>(logger, options.onResync)(),
    })
    const forget = this.#connection.onEnd(stop)
    return () => {
      forget()
      stop()
    }
  }

  close(): Promise<void> {
    return this.#close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }
}

const resultOf = ({ result }: RpcResult): JsonObject => result as JsonObject

type Ask = (method: string, params: JsonObject | undefined, request: RequestOptions) => Promise<RpcResult>

// A modern source that stays modern after being asked again is not asked about it for so long.
const reprobePauseMs = 60_000

const createAsk = (transport: ClientTransport, options: ClientPeerOptions, connection: Connection): Ask => {
  const { conversation, logger } = connection
  const clock = options.clock ?? systemClock
  const toParams = createToParams(options)
  let reprobedAt = Number.NEGATIVE_INFINITY

  const send = (peer: PeerInfo, method: string, params: JsonObject | undefined, request: RequestOptions) => {
    const all = toParams(peer, params, request)
    return conversation.ask(method, all, {
      timeoutMs: request.timeoutMs ?? options.timeoutMs ?? 60_000,
      signal: request.signal,
      cancelBy: peer.era === 'modern' && transport.perRequest ? 'closing' : 'notification',
      onProgress: request.onProgress && guarded(logger, request.onProgress),
      onNotification: request.onNotification && guarded(logger, request.onNotification),
      onRequest: request.onRequest,
      headers: transport.kind === 'http' ? toHeaders(peer, method, all.params, request) : undefined,
    })
  }

  /** The source as it is now, or undefined when the failure says nothing about that. */
  const renewed = async (error: unknown, peer: PeerInfo, method: string, request: RequestOptions) => {
    const lost = isSessionLost(error)
    if (!lost && !(looksLegacy(error, peer) && clock.now() - reprobedAt >= reprobePauseMs)) return undefined
    if (!lost) reprobedAt = clock.now()
    logger.log('info', 'the source forgot our session or changed its era; connecting again', { method })
    const fresh = await waitFor(connection.reconnect(peer), method, request.signal)
    // Sent again only where the first was refused unread: by a lost session, or by a server of the other era.
    return lost || fresh.era !== peer.era ? fresh : undefined
  }

  // Not async: each await costs a microtask even where the value is already there, and every call would pay for it.
  const askOf = (peer: PeerInfo, method: string, params: JsonObject | undefined, request: RequestOptions) =>
    send(peer, method, params, request).then(
      (answer) => checked(answer, method),
      async (error: unknown) => {
        const fresh = await renewed(error, peer, method, request)
        if (!fresh) throw error
        return checked(await send(fresh, method, params, request), method)
      },
    )

  return (method, params, request) => {
    const { info } = connection
    if (info) return askOf(info, method, params, request)
    return waitFor(connection.connect(), method, request.signal).then((peer) => askOf(peer, method, params, request))
  }
}

const checked = (answer: RpcResult, method: string): RpcResult => {
  if (typeof answer.result === 'object' && answer.result !== null && !Array.isArray(answer.result)) return answer
  throw invalidAnswer(`The source answered ${method} with something that is no object.`)
}

const connected = (connection: Connection, method: string, request: RequestOptions): PeerInfo | Promise<PeerInfo> =>
  connection.info ?? waitFor(connection.connect(), method, request.signal)

/** The handshake others wait for too: one who gives up leaves them to it. */
const waitFor = <T>(promise: Promise<T>, method: string, signal: CancelSignal | undefined): Promise<T> =>
  until(promise, signal, (reason) => abortFailure(reason, method, true))

/** The source no longer knows our session, so it surely did not run the request. */
const isSessionLost = (error: unknown): boolean => isGatewayError(error) && error.details?.sessionLost === true

/** A modern source answers as only a legacy one does: it may have been exchanged for an older build. */
const looksLegacy = (error: unknown, peer: PeerInfo): boolean => {
  if (peer.era !== 'modern') return false
  if (isRpcError(error)) return error.httpStatus === 400 && error.code <= -32000 && error.code >= -32019
  const status = isGatewayError(error) ? error.details?.status : undefined
  return status === 400 || status === 404 || status === 405
}

export type ToParams = (peer: PeerInfo, params: JsonObject | undefined, request: RequestOptions) => RequestParams

/** Makes the params of requests to one source. */
export const createToParams = (options: ClientPeerOptions): ToParams => {
  const stampText = createStampText()
  return (peer, params, request) => {
    const meta = stripReserved(withoutToken(request.meta ?? metaOf(params)))
    const rest = params && '_meta' in params ? withoutMeta(params) : params
    if (peer.era === 'legacy') return new RequestParams(rest, meta, '')
    const capabilities = request.capabilities ?? options.capabilities ?? {}
    const { clientInfo } = options
    return new RequestParams(rest, meta, stampText(peer.version, capabilities, clientInfo, request.logLevel))
  }
}

/** The last text again where nothing differs: callers of one kind say the same with each call. */
const createStampText = () => {
  let known = { version: '', capabilities: '', logLevel: undefined as string | undefined, text: '' }
  return (
    version: string,
    capabilities: JsonObject,
    clientInfo: ClientStamp['clientInfo'],
    logLevel: string | undefined,
  ): string => {
    const declared = JSON.stringify(capabilities)
    if (known.version === version && known.capabilities === declared && known.logLevel === logLevel) return known.text
    const stamp = stampRequest(undefined, { version, capabilities, clientInfo, logLevel })
    known = { version, capabilities: declared, logLevel, text: JSON.stringify(stamp).slice(1, -1) }
    return known.text
  }
}

/** The headers of a request over HTTP. */
const toHeaders = (
  peer: PeerInfo,
  method: string,
  params: JsonObject | undefined,
  { headerParams }: RequestOptions,
): Readonly<Record<string, string>> =>
  peer.era === 'legacy'
    ? legacyHeaders(peer.version)
    : requestHeaders({ version: peer.version, method, params, headerParams })

const withoutMeta = (params: JsonObject): JsonObject => {
  const { _meta: _, ...rest } = params
  return rest
}

// The caller's token means something to the caller only; a token of ours goes out when somebody listens.
const withoutToken = (meta: JsonObject | undefined): JsonObject | undefined => {
  if (!meta || !Object.hasOwn(meta, 'progressToken')) return meta
  const { progressToken: _, ...rest } = meta
  return Object.keys(rest).length > 0 ? rest : undefined
}

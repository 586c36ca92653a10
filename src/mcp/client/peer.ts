import { type CancelSignal, until } from '../../model/cancel.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Logger } from '../../telemetry/logger.js'
import { requestHeaders } from '../headers.js'
import { createStampText, metaOf, type RpcResult, stripReserved, withoutMeta, withoutToken } from '../message.js'
import type { ClientPeer, ClientPeerOptions, RequestOptions } from './client-peer.js'
import { Connection, guarded } from './connection.js'
import type { ConversationStats } from './conversation.js'
import { abortFailure, invalidAnswer, isSessionLost, looksLegacy } from './failure.js'
import { legacyHeaders, type PeerInfo, type Verdict } from './handshake.js'
import { type Listing, type PagingLimits, readPages } from './paging.js'
import { type AskOptions, RequestParams, type Waiter } from './pending.js'
import { keepSubscription } from './streams.js'
import type { ClientTransport } from './transport.js'

/** One source behind one transport. Nothing is sent before `connect` or the first request. */
export const createClientPeer = (transport: ClientTransport, options: ClientPeerOptions): SharablePeer => {
  const connection = new Connection(transport, options, options.clock ?? systemClock)
  return new Peer({ transport, options, connection, asker: new Asker(transport, options, connection) })
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
  readonly asker: Asker
}

/** A class, so that all peers, leased or not and over whatever transport, look alike to the calls that go through them. */
class Peer implements SharablePeer {
  readonly #parts: PeerParts
  readonly #connection: Connection
  readonly #asker: Asker
  readonly #close: () => Promise<void>

  constructor(parts: PeerParts, close: () => Promise<void> = () => parts.connection.close()) {
    this.#parts = parts
    this.#connection = parts.connection
    this.#asker = parts.asker
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

  send(method: string, params: JsonObject | undefined, request: RequestOptions, waiter: Waiter): void {
    this.#asker.send(method, params, request, waiter)
  }

  request(method: string, params?: JsonObject, request: RequestOptions = {}): Promise<JsonObject> {
    return this.#ask(method, params, request).then(({ result }) => result as JsonObject)
  }

  #ask(method: string, params: JsonObject | undefined, request: RequestOptions): Promise<RpcResult> {
    return new Promise((answered, failed) => this.#asker.send(method, params, request, { answered, failed }))
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

/** Sends requests of one peer, in the words of the era it was found to speak. */
class Asker {
  readonly #transport: ClientTransport
  readonly #options: ClientPeerOptions
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #toParams: ToParams
  #reprobedAt = Number.NEGATIVE_INFINITY

  constructor(transport: ClientTransport, options: ClientPeerOptions, connection: Connection) {
    this.#transport = transport
    this.#options = options
    this.#connection = connection
    this.#clock = options.clock ?? systemClock
    this.#toParams = createToParams(options)
  }

  get logger(): Logger {
    return this.#connection.logger
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs ?? 60_000
  }

  send(method: string, params: JsonObject | undefined, request: RequestOptions, waiter: Waiter): void {
    const { info } = this.#connection
    const asked = new PeerRequest(this, method, params, request, waiter)
    if (info) return this.sendTo(info, asked)
    waitFor(this.#connection.connect(), method, request.signal).then(
      (peer) => this.sendTo(peer, asked),
      (error) => waiter.failed(error),
    )
  }

  sendTo(peer: PeerInfo, asked: PeerRequest): void {
    const { method, request } = asked
    const params = this.#toParams(peer, asked.params, request)
    asked.peer = peer
    asked.cancelBy = peer.era === 'modern' && this.#transport.perRequest ? 'closing' : 'notification'
    if (this.#transport.kind === 'http') asked.headers = toHeaders(peer, method, params.params, request)
    this.#connection.conversation.send(method, params, asked, asked)
  }

  /** The source as it is now, or undefined when the failure says nothing about that. */
  async renewed(
    error: unknown,
    peer: PeerInfo,
    method: string,
    request: RequestOptions,
  ): Promise<PeerInfo | undefined> {
    const lost = isSessionLost(error)
    if (!lost) this.#reprobedAt = this.#clock.now()
    this.logger.log('info', 'the source forgot our session or changed its era; connecting again', { method })
    const fresh = await waitFor(this.#connection.reconnect(peer), method, request.signal)
    // Sent again only where the first was refused unread: by a lost session, or by a server of the other era.
    return lost || fresh.era !== peer.era ? fresh : undefined
  }

  /** Whether the failure may mean that the source is not what it was. */
  saysRenewed(error: unknown, peer: PeerInfo): boolean {
    if (isSessionLost(error)) return true
    return looksLegacy(error, peer) && this.#clock.now() - this.#reprobedAt >= reprobePauseMs
  }
}

// A modern source that stays modern after being asked again is not asked about it for so long.
const reprobePauseMs = 60_000

/** One request to a peer: what the conversation is told of it, and who hears first how it ends. */
class PeerRequest implements AskOptions, Waiter {
  peer: PeerInfo | undefined
  cancelBy: AskOptions['cancelBy'] = 'notification'
  headers: Readonly<Record<string, string>> | undefined
  readonly method: string
  readonly params: JsonObject | undefined
  readonly request: RequestOptions
  readonly #asker: Asker
  readonly #waiter: Waiter
  #isSecond = false

  constructor(asker: Asker, method: string, params: JsonObject | undefined, request: RequestOptions, waiter: Waiter) {
    this.method = method
    this.params = params
    this.request = request
    this.#asker = asker
    this.#waiter = waiter
  }

  get timeoutMs(): number {
    return this.request.timeoutMs ?? this.#asker.timeoutMs
  }

  get signal(): CancelSignal | undefined {
    return this.request.signal
  }

  // Made when they are needed: few requests have anything to hear before their answer.
  get onProgress(): AskOptions['onProgress'] {
    const { onProgress } = this.request
    return onProgress && guarded(this.#asker.logger, onProgress)
  }

  get onNotification(): AskOptions['onNotification'] {
    const { onNotification } = this.request
    return onNotification && guarded(this.#asker.logger, onNotification)
  }

  get onRequest(): AskOptions['onRequest'] {
    return this.request.onRequest
  }

  answered(message: RpcResult): void {
    if (message.raw !== undefined || isRecord(message.result)) this.#waiter.answered(message)
    else this.#waiter.failed(invalidAnswer(`The source answered ${this.method} with something that is no object.`))
  }

  failed(error: Error): void {
    const peer = this.peer!
    if (this.#isSecond || !this.#asker.saysRenewed(error, peer)) return this.#waiter.failed(error)
    this.#isSecond = true
    this.#asker.renewed(error, peer, this.method, this.request).then(
      (fresh) => (fresh ? this.#asker.sendTo(fresh, this) : this.#waiter.failed(error)),
      (failure) => this.#waiter.failed(failure),
    )
  }
}

const connected = (connection: Connection, method: string, request: RequestOptions): PeerInfo | Promise<PeerInfo> =>
  connection.info ?? waitFor(connection.connect(), method, request.signal)

/** The handshake others wait for too: one who gives up leaves them to it. */
const waitFor = <T>(promise: Promise<T>, method: string, signal: CancelSignal | undefined): Promise<T> =>
  until(promise, signal, (reason) => abortFailure(reason, method, true))

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

/** The headers of a request over HTTP. */
const toHeaders = (
  peer: PeerInfo,
  method: string,
  params: JsonObject | undefined,
  { headerParams, headers }: RequestOptions,
): Readonly<Record<string, string>> => {
  const own =
    peer.era === 'legacy'
      ? legacyHeaders(peer.version)
      : requestHeaders({ version: peer.version, method, params, headerParams })
  return headers ? { ...headers, ...own } : own
}

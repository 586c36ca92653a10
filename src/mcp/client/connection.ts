import { type GatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import type { ClientPeerOptions } from './client-peer.js'
import { Conversation } from './conversation.js'
import { unavailable } from './failure.js'
import { legacyHeaders, type PeerInfo, shakeHands, type Verdict } from './handshake.js'
import type { ClientTransport } from './transport.js'

/** A transport with its handshake done, and done again when the source has forgotten it. */
export class Connection {
  /** Undefined until the handshake is done, and after the end. A plain field, since every call reads it. */
  info: PeerInfo | undefined
  verdict: Verdict | undefined
  readonly conversation: Conversation
  readonly logger: Logger
  readonly #transport: ClientTransport
  readonly #options: ClientPeerOptions
  readonly #clock: Clock
  readonly #tasks = new Set<() => void>()
  /** Known before `info`: the last message of the handshake already travels under what was agreed. */
  #agreed: PeerInfo | undefined
  #connecting: Promise<PeerInfo> | undefined
  #opening: Promise<void> | undefined
  #ended: GatewayError | undefined

  constructor(transport: ClientTransport, options: ClientPeerOptions, clock: Clock) {
    this.#transport = transport
    this.#options = options
    this.#clock = clock
    this.logger = options.logger ?? silentLogger
    this.verdict = options.verdict
    this.conversation = new Conversation({
      transport,
      clock,
      maxInFlight: options.maxInFlight ?? 4096,
      headers: () => (this.#agreed?.era === 'legacy' ? legacyHeaders(this.#agreed.version) : {}),
      mayAnswer: () => this.#agreed?.era !== 'modern',
      onNotification: guarded(this.logger, options.onNotification),
      onRequest: options.onRequest,
    })
  }

  connect(): Promise<PeerInfo> {
    const ended = this.#ended
    if (ended) return Promise.reject(unavailable(ended.message, { cause: ended, notSent: true }))
    this.#connecting ??= this.#shake().catch((error: unknown) => {
      this.#connecting = undefined
      throw error
    })
    return this.#connecting
  }

  /** Everyone who met the same stale handshake waits for one new one. */
  async reconnect(stale: PeerInfo): Promise<PeerInfo> {
    if (this.info !== stale) return this.connect()
    this.info = undefined
    this.#connecting = undefined
    const fresh = await this.connect()
    guarded<void>(this.logger, this.#options.onResync)()
    return fresh
  }

  /** The task is run when the connection ends. */
  onEnd(task: () => void): () => void {
    this.#tasks.add(task)
    return () => void this.#tasks.delete(task)
  }

  async close(): Promise<void> {
    this.#end(undefined)
    await this.#transport.close()
  }

  async #shake(): Promise<PeerInfo> {
    await this.#open()
    const options = this.#options
    const found = await shakeHands({
      transport: this.#transport,
      conversation: this.conversation,
      clock: this.#clock,
      era: options.era ?? 'auto',
      verdict: this.verdict,
      clientInfo: options.clientInfo,
      capabilities: options.capabilities ?? {},
      probeTimeoutMs: options.probeTimeoutMs ?? 2000,
      timeoutMs: options.connectTimeoutMs ?? 30_000,
    })
    this.#agreed = found
    // Awaited, since over HTTP a request on another connection could overtake it, and strict servers refuse that.
    if (found.era === 'legacy') await this.conversation.tell('notifications/initialized')
    this.verdict = { era: found.era, version: found.version, at: this.#clock.wall() }
    this.info = found
    guarded(this.logger, options.onVerdict)(this.verdict)
    return found
  }

  #open(): Promise<void> {
    const { conversation } = this
    const events = {
      onMessage: conversation.receive.bind(conversation),
      onRefused: conversation.refuse.bind(conversation),
      onResync: () => guarded<void>(this.logger, this.#options.onResync)(),
      onClose: (reason: GatewayError | undefined) => this.#end(reason),
    }
    this.#opening ??= this.#transport.open(events).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  #end(reason: GatewayError | undefined): void {
    if (this.#ended) return
    this.#ended = reason ?? unavailable('The connection to the source is closed.')
    this.info = undefined
    for (const task of [...this.#tasks]) task()
    this.conversation.end(this.#ended)
    guarded(this.logger, this.#options.onClose)(reason)
  }
}

/** What a listener throws is its own fault; it must not break the stream for the others. */
export const guarded =
  <T>(logger: Logger, listener: ((value: T) => void) | undefined) =>
  (value: T): void => {
    try {
      listener?.(value)
    } catch (error) {
      logger.log('error', 'a listener of the MCP client failed', { reason: messageOf(error) })
    }
  }

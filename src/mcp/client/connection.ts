import { type GatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import type { ClientPeerOptions } from './client-peer.js'
import { type Conversation, createConversation } from './conversation.js'
import { unavailable } from './failure.js'
import { legacyHeaders, type PeerInfo, shakeHands, type Verdict } from './handshake.js'
import type { ClientTransport } from './transport.js'

/** A transport with its handshake done, and done again when the source has forgotten it. */
export interface Connection {
  readonly conversation: Conversation
  readonly info: PeerInfo | undefined
  readonly verdict: Verdict | undefined
  readonly logger: Logger
  connect(): Promise<PeerInfo>
  /** Everyone who met the same stale handshake waits for one new one. */
  reconnect(stale: PeerInfo): Promise<PeerInfo>
  /** Ends with the connection. */
  onEnd(task: () => void): () => void
  close(): Promise<void>
}

export const createConnection = (transport: ClientTransport, options: ClientPeerOptions, clock: Clock): Connection => {
  const logger = options.logger ?? silentLogger
  const tasks = new Set<() => void>()
  let info: PeerInfo | undefined
  // Known before `info`: the last message of the handshake already travels under what was agreed.
  let agreed: PeerInfo | undefined
  let verdict = options.verdict
  let connecting: Promise<PeerInfo> | undefined
  let opening: Promise<void> | undefined
  let ended: GatewayError | undefined

  const conversation = createConversation({
    transport,
    clock,
    maxInFlight: options.maxInFlight ?? 4096,
    headers: () => (agreed?.era === 'legacy' ? legacyHeaders(agreed.version) : {}),
    mayAnswer: () => agreed?.era !== 'modern',
    onNotification: guarded(logger, options.onNotification),
    onRequest: options.onRequest,
  })

  const end = (reason: GatewayError | undefined): void => {
    if (ended) return
    ended = reason ?? unavailable('The connection to the source is closed.')
    info = undefined
    for (const task of [...tasks]) task()
    conversation.end(ended)
    guarded(logger, options.onClose)(reason)
  }

  const open = (): Promise<void> => {
    const events = {
      onMessage: conversation.receive,
      onRefused: conversation.refuse,
      onResync: () => guarded<void>(logger, options.onResync)(),
      onClose: end,
    }
    opening ??= transport.open(events).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const shake = async (): Promise<PeerInfo> => {
    await open()
    const found = await shakeHands({
      transport,
      conversation,
      clock,
      era: options.era ?? 'auto',
      verdict,
      clientInfo: options.clientInfo,
      capabilities: options.capabilities ?? {},
      probeTimeoutMs: options.probeTimeoutMs ?? 2000,
      timeoutMs: options.connectTimeoutMs ?? 30_000,
    })
    agreed = found
    // Awaited, since over HTTP a request on another connection could overtake it, and strict servers refuse that.
    if (found.era === 'legacy') await conversation.tell('notifications/initialized')
    verdict = { era: found.era, version: found.version, at: clock.wall() }
    info = found
    guarded(logger, options.onVerdict)(verdict)
    return found
  }

  const connect = (): Promise<PeerInfo> => {
    if (ended) return Promise.reject(unavailable(ended.message, { cause: ended, notSent: true }))
    connecting ??= shake().catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  return {
    conversation,
    logger,
    get info() {
      return info
    },
    get verdict() {
      return verdict
    },
    connect,
    reconnect: async (stale) => {
      if (info !== stale) return connect()
      info = undefined
      connecting = undefined
      const fresh = await connect()
      guarded<void>(logger, options.onResync)()
      return fresh
    },
    onEnd: (task) => {
      tasks.add(task)
      return () => void tasks.delete(task)
    },
    close: async () => {
      end(undefined)
      await transport.close()
    },
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

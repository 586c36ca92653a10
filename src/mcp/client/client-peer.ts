import type { GatewayError } from '../../errors.js'
import type { Progress } from '../../model/call.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Logger } from '../../telemetry/logger.js'
import type { HeaderParam } from '../headers.js'
import type { Implementation, RpcNotification } from '../message.js'
import type { ConversationStats } from './conversation.js'
import type { PeerInfo, Verdict } from './handshake.js'
import type { RequestHandler } from './inbound.js'
import type { Listing, PagingLimits } from './paging.js'
import type { Waiter } from './pending.js'

export interface ClientPeerOptions {
  readonly clientInfo: Implementation
  /** What we can do for the source when a request names nothing else. Default: nothing. */
  readonly capabilities?: JsonObject | undefined
  /** Default: `auto`. */
  readonly era?: 'auto' | 'legacy' | 'modern' | undefined
  /** What an earlier connection found, so that nothing is probed twice. */
  readonly verdict?: Verdict | undefined
  /** Default: 2 s. On pipes, after so much silence `initialize` follows `server/discover`, and the first answer decides. */
  readonly probeTimeoutMs?: number | undefined
  /** For the whole handshake. Default: 30 s. */
  readonly connectTimeoutMs?: number | undefined
  /** For a request that names no time of its own. Default: 60 s. */
  readonly timeoutMs?: number | undefined
  /** Default: 4096; more are refused with OVERLOADED. */
  readonly maxInFlight?: number | undefined
  readonly clock?: Clock | undefined
  readonly random?: (() => number) | undefined
  readonly logger?: Logger | undefined
  /** Why the connection takes long, where its transport knows; undefined when that is over. */
  readonly onWaiting?: ((reason: string | undefined) => void) | undefined
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
  /** Everything the source announces that no single request waits for, as it came. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined
  /** Announcements may have been missed: lists should be read again. */
  readonly onResync?: (() => void) | undefined
  /** Requests of a legacy source; `ping` is answered without it, anything else refused. */
  readonly onRequest?: RequestHandler | undefined
  readonly onClose?: ((reason: GatewayError | undefined) => void) | undefined
}

export interface RequestOptions {
  readonly signal?: CancelSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The caller's `_meta`; reserved keys and its progress token stay on this side. */
  readonly meta?: JsonObject | undefined
  /** Arguments that the tool wants mirrored into headers. */
  readonly headerParams?: readonly HeaderParam[] | undefined
  /** Of this request alone, besides those of the protocol, which they cannot replace (HTTP only). */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What the caller of this request can do, where that differs from the peer's own (modern sources only). */
  readonly capabilities?: JsonObject | undefined
  readonly logLevel?: string | undefined
  /** Notifications and requests that came on this request's own stream, so surely because of it (HTTP only). */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined
  readonly onRequest?: RequestHandler | undefined
}

/** One source as a client sees it, whatever its era and transport. */
export interface ClientPeer extends AsyncDisposable {
  /** Undefined until connected. */
  readonly info: PeerInfo | undefined
  readonly verdict: Verdict | undefined
  /** Whether a legacy server can ask back: it keeps a session with us. */
  readonly sessionful: boolean
  /** Requests that wait for their answers. */
  readonly inFlight: number
  readonly stats: Readonly<ConversationStats>
  /** Once; later calls return the same. `request` connects by itself. */
  connect(): Promise<PeerInfo>
  /** The result as it was sent, unknown fields and all. Throws RpcError for an error of the source, else GatewayError. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>
  /** The same without a promise, for those who make many; the waiter may be told before this returns. */
  send(method: string, params: JsonObject | undefined, options: RequestOptions, waiter: Waiter): void
  notify(method: string, params?: JsonObject): Promise<void>
  /** All pages of a list; `key` is the member that holds the items, such as `tools`. */
  listAll(method: string, key: string, options?: RequestOptions & PagingLimits): Promise<Listing>
  /** Is it there? `ping` where it exists, `server/discover` in the modern era. */
  ping(options?: RequestOptions): Promise<void>
  /** Modern list changes and resource updates, kept open; legacy sources announce unasked. Returns how to stop. */
  listen(notifications: JsonObject): () => void
  close(): Promise<void>
}

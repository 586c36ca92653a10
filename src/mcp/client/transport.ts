import type { GatewayError } from '../../errors.js'
import type { Era } from '../eras.js'
import type { RpcMessage } from '../message.js'
import type { RpcError, RpcId } from '../rpc-error.js'

/** What a transport tells its peer about messages that belong to no single request. */
export interface TransportEvents {
  onMessage(message: RpcMessage): void
  /** Something came that is no message; the error has the id when that much could be read. */
  onRefused(error: RpcError): void
  /** A stream of notifications was interrupted and is back: what was said in between is lost, so list again. */
  onResync(): void
  /** Nothing will come any more. Once. */
  onClose(reason: GatewayError | undefined): void
}

/** What becomes of one `send`. `onEnd` or `onFail` is called at most once, and nothing after it. */
export interface SendHooks {
  /** A message on this request's own answer stream; transports that have none use `TransportEvents`. */
  onMessage(message: RpcMessage): void
  /** An answer to this request that breaks the rules. */
  onRefused(error: RpcError): void
  /** Something on this request's stream that is no message at all. */
  onNoise(error: RpcError): void
  /** A request: all that its own stream could bring has come (never without such a stream). Anything else: it was taken. */
  onEnd(): void
  onFail(error: GatewayError | RpcError): void
}

export interface SendOptions {
  /** The request this message is; undefined for notifications and answers. */
  readonly id?: RpcId | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The message is `initialize`: no session goes out with it, the one in the answer is kept. */
  readonly startsSession?: boolean | undefined
  readonly hooks: SendHooks
}

export interface Sending {
  /** False while the request surely has not left: it waits for a connection or for its turn. */
  readonly sent: boolean
  /** Stops waiting and lets go of the stream. No hook is called after it. */
  cancel(): void
}

/** How messages travel to one source. Implementations know nothing of eras beyond the session they carry. */
export interface ClientTransport {
  readonly kind: 'line' | 'http' | 'sse' | 'websocket'
  /** Each request has an answer stream of its own, so closing it is how a modern request is cancelled. */
  readonly perRequest: boolean
  /** False where a legacy server keeps no session with us, so that it cannot ask anybody anything. Default: true. */
  readonly sessionful?: boolean | undefined
  /** Where only one era exists there is nothing to probe. */
  readonly onlyEra?: Era | undefined
  /** Makes the connection ready to send. Rejects with a GatewayError. */
  open(events: TransportEvents, signal?: AbortSignal): Promise<void>
  send(text: string, options: SendOptions): Sending
  /** A legacy session is agreed; transports that need one may now open their stream of notifications. */
  sessionReady?(headers: Readonly<Record<string, string>>): void
  /** Idempotent. Tells the source where there is a way to, and waits for that only a short time. */
  close(): Promise<void>
}

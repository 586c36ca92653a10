import type { JsonObject } from '../model/json.js'
import type { RpcId } from './rpc-error.js'

/** A question: it gets exactly one answer with the same id. */
export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RpcId
  readonly method: string
  readonly params: JsonObject | undefined
  /** Bytes of the message on the wire, for limits over several messages. */
  readonly bytes: number
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject | undefined
  readonly bytes: number
}

/** An answer that worked; whatever the other side put into it is untouched. */
export interface RpcResult {
  readonly kind: 'result'
  readonly id: RpcId
  readonly result: unknown
  readonly bytes: number
}

/** An answer that did not. A null id means that the other side could not read ours. */
export interface RpcFailure {
  readonly kind: 'failure'
  readonly id: RpcId | null
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly bytes: number
}

export type RpcResponse = RpcResult | RpcFailure
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse

export const isResponse = (message: RpcMessage): message is RpcResponse =>
  message.kind === 'result' || message.kind === 'failure'

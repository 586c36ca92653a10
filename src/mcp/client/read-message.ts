import type { RpcMessage } from '../message.js'
import { type ParseLimits, parseMessage } from '../parse.js'
import { isRpcError, type RpcError } from '../rpc-error.js'

/** Who takes what was read: an object, so that a request can be its own and needs no functions made for it. */
export interface MessageSink {
  onMessage(message: RpcMessage): void
  onRefused(error: RpcError): void
}

/** Parses untrusted bytes; what is no message goes to `onRefused` instead of being thrown. */
export const readMessage = (data: Buffer, limits: ParseLimits, sink: MessageSink): void => {
  let message: RpcMessage
  try {
    message = parseMessage(data, limits)
  } catch (error) {
    if (!isRpcError(error)) throw error
    sink.onRefused(error)
    return
  }
  sink.onMessage(message)
}

import type { RpcMessage } from '../message.js'
import { type ParseLimits, parseMessage } from '../parse.js'
import { isRpcError, type RpcError } from '../rpc-error.js'

/** Parses untrusted bytes; what is no message goes to `onRefused` instead of being thrown. */
export const readMessage = (
  data: Buffer,
  limits: ParseLimits,
  onMessage: (message: RpcMessage) => void,
  onRefused: (error: RpcError) => void,
): void => {
  let message: RpcMessage
  try {
    message = parseMessage(data, limits)
  } catch (error) {
    if (!isRpcError(error)) throw error
    onRefused(error)
    return
  }
  onMessage(message)
}

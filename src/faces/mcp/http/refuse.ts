import type { GatewayError } from '../../../errors.js'
import { sendBody } from '../../../http/answer.js'
import type { HttpExchange } from '../../../http/route.js'
import { errorText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { errorAnswer } from '../../../mcp/server/error-answer.js'
import { toRpcError } from '../encode-error.js'

export const sessionLost = 'Session not found; initialize again.'
export const tooMany = new RpcError(rpcCodes.internalError, 'Too many requests are running in this session.')

/** The route sets none beforehand, which would put every answer on Node's slow way. */
export const ownHeaders = Object.freeze({ 'x-content-type-options': 'nosniff' })

/** A refusal of what is no request, or of one that is not read. */
export const refusePlainly = ({ response }: HttpExchange, status: number, message: string): void => {
  if (response.headersSent || response.destroyed) return
  const body = errorText(null, { code: rpcCodes.invalidRequest, message, data: undefined })
  sendBody(response, status, 'application/json', body)
}

/** The same for one that would pass a bound of its caller or of all. */
export const refuseBound = ({ response }: HttpExchange, error: GatewayError): void => {
  if (response.headersSent || response.destroyed) return
  const { status, body, headers } = errorAnswer(toRpcError(error), null, 'legacy')
  sendBody(response, status, 'application/json', body, headers)
}

/** An answer without a body. */
export const acknowledge = ({ response }: HttpExchange, status: number): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { 'content-length': '0', 'x-content-type-options': 'nosniff' })
  response.end()
}

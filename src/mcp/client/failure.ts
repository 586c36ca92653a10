import { type ErrorExtras, GatewayError, isGatewayError } from '../../errors.js'
import { isRpcError } from '../rpc-error.js'
import type { PeerInfo } from './handshake.js'

/** Nobody answered, or the way to them broke. */
export const unavailable = (message: string, extras: ErrorExtras = {}): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', message, extras)

/** They answered, and it is not what the protocol allows. */
export const invalidAnswer = (message: string, extras: ErrorExtras = {}): GatewayError =>
  new GatewayError('RESULT_INVALID', message, extras)

export const tooLargeAnswer = (maxBytes: number): GatewayError =>
  new GatewayError(
    'RESULT_TOO_LARGE',
    `The source's answer has more than ${maxBytes} bytes; it was not read further.`,
    {
      details: { maxBytes },
    },
  )

/** Why a call ended early: the reason of the signal if it is one of ours (a deadline), else "cancelled". */
export const abortFailure = (reason: unknown, method: string, notSent: boolean): GatewayError => {
  if (isGatewayError(reason)) return new GatewayError(reason.code, reason.message, { cause: reason, notSent })
  return new GatewayError('CALL_CANCELLED', `The caller gave up on ${method}.`, { cause: reason, notSent })
}

export const deadlineFailure = (method: string, timeoutMs: number, notSent: boolean): GatewayError =>
  new GatewayError('DEADLINE_EXCEEDED', `The source did not answer ${method} within ${timeoutMs} ms.`, {
    details: { timeoutMs },
    notSent,
  })

/** The failure behind a socket's error, with a hint for the usual ones. Only the place is named: paths may hold tokens. */
export const networkFailure = (error: unknown, place: string, notSent: boolean): GatewayError => {
  if (isGatewayError(error)) return error
  const code = codeOf(error)
  const reason = (code && reasons.get(code)) ?? `failed (${code ?? 'no reason given'})`
  return unavailable(`The connection to ${place} ${reason}.`, { cause: error, notSent, details: { reason: code } })
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'was refused. Check that the server is running and the port is right'],
  ['ENOTFOUND', 'failed: no such host. Check the name in the url'],
  ['EAI_AGAIN', 'failed: the name could not be looked up just now'],
  ['ECONNRESET', 'was reset by the server'],
  ['EPIPE', 'was closed by the server'],
  ['UND_ERR_SOCKET', 'was closed by the server before it had answered'],
  ['UND_ERR_CONNECT_TIMEOUT', 'took too long to open'],
  ['UND_ERR_HEADERS_TIMEOUT', 'brought no answer in time'],
  ['UND_ERR_BODY_TIMEOUT', 'went silent in the middle of an answer'],
  ['UND_ERR_CLOSED', 'is closed'],
  ['UND_ERR_DESTROYED', 'is closed'],
  ['HTTP_INVALID', 'brought something that is not HTTP, or not as it should be'],
  ['HPE_INVALID_CONSTANT', 'brought something that is not HTTP'],
])

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The source no longer knows our session, so it surely did not run the request. */
export const isSessionLost = (error: unknown): boolean => isGatewayError(error) && error.details?.sessionLost === true

/** A modern source answers as only a legacy one does: it may have been exchanged for an older build. */
export const looksLegacy = (error: unknown, peer: PeerInfo): boolean => {
  if (peer.era !== 'modern') return false
  if (isRpcError(error)) return error.httpStatus === 400 && error.code <= -32000 && error.code >= -32019
  const status = isGatewayError(error) ? error.details?.status : undefined
  return status === 400 || status === 404 || status === 405
}

import { isGatewayError } from '../../errors.js'
import { isRpcError } from '../rpc-error.js'
import type { PeerInfo } from './handshake.js'

/** The source no longer knows our session, so it surely did not run the request. */
export const isSessionLost = (error: unknown): boolean => isGatewayError(error) && error.details?.sessionLost === true

/** A modern source answers as only a legacy one does: it may have been exchanged for an older build. */
export const looksLegacy = (error: unknown, peer: PeerInfo): boolean => {
  if (peer.era !== 'modern') return false
  if (isRpcError(error)) return error.httpStatus === 400 && error.code <= -32000 && error.code >= -32019
  const status = isGatewayError(error) ? error.details?.status : undefined
  return status === 400 || status === 404 || status === 405
}

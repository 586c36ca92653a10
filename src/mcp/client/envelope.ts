import type { JsonObject } from '../../model/json.js'
import { requestHeaders } from '../headers.js'
import { metaOf, stampRequest, stripReserved } from '../meta.js'
import type { ClientPeerOptions, RequestOptions } from './client-peer.js'
import { legacyHeaders, type PeerInfo } from './handshake.js'

/** The params of a request as this source's era wants them. */
export const toParams = (
  peer: PeerInfo,
  params: JsonObject | undefined,
  request: RequestOptions,
  options: ClientPeerOptions,
): JsonObject | undefined => {
  const given = withoutToken(request.meta ?? metaOf(params))
  const meta = peer.era === 'legacy' ? stripReserved(given) : stampRequest(given, stampOf(peer, request, options))
  if (meta) return { ...params, _meta: meta }
  if (!params || !('_meta' in params)) return params
  const { _meta: _, ...rest } = params
  return rest
}

/** The headers of a request over HTTP. */
export const toHeaders = (
  peer: PeerInfo,
  method: string,
  params: JsonObject | undefined,
  { headerParams }: RequestOptions,
): Readonly<Record<string, string>> =>
  peer.era === 'legacy'
    ? legacyHeaders(peer.version)
    : requestHeaders({ version: peer.version, method, params, headerParams })

const stampOf = (peer: PeerInfo, request: RequestOptions, options: ClientPeerOptions) => ({
  version: peer.version,
  capabilities: request.capabilities ?? options.capabilities ?? {},
  clientInfo: options.clientInfo,
  logLevel: request.logLevel,
})

// The caller's token means something to the caller only; a token of ours goes out when somebody listens.
const withoutToken = (meta: JsonObject | undefined): JsonObject | undefined => {
  if (!meta || !Object.hasOwn(meta, 'progressToken')) return meta
  const { progressToken: _, ...rest } = meta
  return Object.keys(rest).length > 0 ? rest : undefined
}

import type { Implementation } from '../../../mcp/meta.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { modernResult } from '../../../mcp/server/project.js'
import { legacyVersions, modernVersions, negotiateVersion } from '../../../mcp/versions.js'
import type { JsonObject } from '../../../model/json.js'
import type { Exchange, Reply } from '../exchange.js'
import { listTtlMs } from '../view.js'

export interface Introduction {
  readonly serverInfo: Implementation
  readonly instructions?: string | undefined
}

/** What we can do, said the same in both eras. */
const capabilities = { tools: { listChanged: true } }

/** The legacy handshake. A client that asks for a version we do not know gets our newest and decides. */
export const initialize = ({ serverInfo, instructions }: Introduction, { request }: Exchange): Reply => {
  const requested = request.params?.protocolVersion
  if (typeof requested !== 'string')
    throw new RpcError(rpcCodes.invalidParams, 'initialize needs `protocolVersion`, a string, in its params.', {
      data: { supported: [...legacyVersions, ...modernVersions] },
    })
  return JSON.stringify({
    protocolVersion: negotiateVersion(requested),
    capabilities,
    serverInfo,
    ...(instructions ? { instructions } : {}),
  })
}

export const discover = ({ serverInfo, instructions }: Introduction): Reply => {
  const result: JsonObject = {
    supportedVersions: [...modernVersions],
    capabilities,
    ...(instructions ? { instructions } : {}),
  }
  return JSON.stringify(modernResult(result, { serverInfo, caching: { ttlMs: listTtlMs, cacheScope: 'private' } }))
}

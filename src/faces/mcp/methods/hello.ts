import type { Implementation } from '../../../mcp/meta.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { modernResult } from '../../../mcp/server/project.js'
import { legacyVersions, modernVersions, negotiateVersion } from '../../../mcp/versions.js'
import type { JsonObject } from '../../../model/json.js'
import type { Exchange, Reply } from '../exchange.js'
import { capabilitiesFor, instructionsFor } from '../surface/introduce.js'
import type { Scope } from '../surface/scope.js'
import { listTtlMs } from '../view.js'

export interface Introduction {
  readonly serverInfo: Implementation
  readonly instructions?: string | undefined
}

/** The legacy handshake. A client that asks for a version we do not know gets our newest and decides. */
export const initialize = ({ serverInfo, instructions }: Introduction, scope: Scope, { request }: Exchange): Reply => {
  const requested = request.params?.protocolVersion
  if (typeof requested !== 'string')
    throw new RpcError(rpcCodes.invalidParams, 'initialize needs `protocolVersion`, a string, in its params.', {
      data: { supported: [...legacyVersions, ...modernVersions] },
    })
  const merged = instructionsFor(scope, instructions)
  return JSON.stringify({
    protocolVersion: negotiateVersion(requested),
    capabilities: capabilitiesFor(scope, 'legacy'),
    serverInfo,
    ...(merged ? { instructions: merged } : {}),
  })
}

export const discover = ({ serverInfo, instructions }: Introduction, scope: Scope): Reply => {
  const merged = instructionsFor(scope, instructions)
  const result: JsonObject = {
    supportedVersions: [...modernVersions],
    capabilities: capabilitiesFor(scope, 'modern'),
    ...(merged ? { instructions: merged } : {}),
  }
  return JSON.stringify(modernResult(result, { serverInfo, caching: { ttlMs: listTtlMs, cacheScope: 'private' } }))
}

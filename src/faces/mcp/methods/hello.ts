import type { Offers } from '../../../gateway.js'
import { legacyVersions, modernResult, modernVersions, negotiateVersion } from '../../../mcp/eras.js'
import { gatewaysKey } from '../../../mcp/gateways.js'
import { type Implementation, metaOf } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { JsonObject } from '../../../model/json.js'
import type { EncodedResult, Exchange } from '../exchange.js'
import { capabilitiesFor, instructionsFor, type ReviewInstructions } from '../surface/introduce.js'
import { listTtlMs } from '../view.js'

export interface Introduction {
  readonly serverInfo: Implementation
  readonly instructions?: string | undefined
  /** The gateways that a call to us may reach, for others that mount us. */
  readonly reach?: (() => readonly string[]) | undefined
  /** What a source may say, of what it says. Default: all of it. */
  readonly reviewInstructions?: ReviewInstructions | undefined
}

/** The legacy handshake. A client that asks for a version we do not know gets our newest and decides. */
export const initialize = (introduction: Introduction, offers: Offers, { request }: Exchange): EncodedResult =>
  JSON.stringify(helloTo(introduction, offers, request.params?.protocolVersion))

/** What it says, for whoever asks for this version. */
export const helloTo = (introduction: Introduction, offers: Offers, requested: unknown): JsonObject => {
  const { serverInfo, instructions, reviewInstructions } = introduction
  if (typeof requested !== 'string')
    throw new RpcError(rpcCodes.invalidParams, 'initialize needs `protocolVersion`, a string, in its params.', {
      data: { supported: [...legacyVersions, ...modernVersions] },
    })
  const merged = instructionsFor(offers, instructions, reviewInstructions)
  return {
    protocolVersion: negotiateVersion(requested),
    capabilities: capabilitiesFor(offers, 'legacy'),
    serverInfo,
    instructions: merged || undefined,
    ...reachOf(introduction),
  }
}

/** Other gateways ask again from time to time whether we lead back to them; nobody else wants to know. */
export const ping = (introduction: Introduction, { request }: Exchange): EncodedResult =>
  metaOf(request.params)?.[gatewaysKey] === undefined ? '{}' : JSON.stringify(reachOf(introduction))

const reachOf = ({ reach }: Introduction): JsonObject => (reach ? { _meta: { [gatewaysKey]: reach() } } : {})

/** `tasks`: calls of theirs may become tasks of ours. */
export const discover = (introduction: Introduction, offers: Offers, tasks: boolean): EncodedResult => {
  const { serverInfo, instructions, reviewInstructions } = introduction
  const merged = instructionsFor(offers, instructions, reviewInstructions)
  const result: JsonObject = {
    supportedVersions: [...modernVersions],
    capabilities: capabilitiesFor(offers, 'modern', tasks),
    instructions: merged || undefined,
    ...reachOf(introduction),
  }
  return JSON.stringify(modernResult(result, { serverInfo, caching: { ttlMs: listTtlMs, cacheScope: 'private' } }))
}

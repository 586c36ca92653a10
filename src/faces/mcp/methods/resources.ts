import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import { pastBound } from '../encode-error.js'
import { type Client, type ClientSession, type EncodedResult, type Exchange, followedKey } from '../exchange.js'
import { type Errands, notFound } from '../surface/errands.js'
import type { Following } from '../surface/following.js'
import { listReply } from './prompts.js'

/** `resources/list`: those of all sources this client sees. A URI that two of them use carries its source. */
export const listResources = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { resources } = await errands.settledOffers(exchange)
  return listReply(errands, exchange, 'resources', resources, ({ definition, shown }) => ({
    ...definition,
    uri: shown,
  }))
}

export const listTemplates = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { templates } = await errands.settledOffers(exchange)
  return listReply(errands, exchange, 'resourceTemplates', templates, ({ definition, shown }) => ({
    ...definition,
    uriTemplate: shown,
  }))
}

/** `resources/read`. Bytes pass untouched; only the URI is put back into the client's words. */
export const readResource = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { _meta: _, inputResponses: __, requestState: ___, ...params } = exchange.request.params ?? {}
  const uri = uriOf(exchange)
  await errands.settledOffers(exchange)
  const wanted = { kind: 'resource', name: uri } as const
  const found = errands.locate(exchange, wanted)
  const result = await errands.ask(exchange, { wanted, found, params })
  const caching = result.resultType === undefined || result.resultType === 'complete' ? 'read' : undefined
  const own = found.offer?.name ?? uri
  return errands.encode(exchange, own === uri ? result : withUri(result, own, uri), caching)
}

/** `resources/subscribe`, legacy only: changes are told in the session until it ends. */
export const subscribe = async (errands: Errands, following: Following, exchange: Exchange): Promise<EncodedResult> => {
  const uri = uriOf(exchange)
  const { session } = exchange
  await errands.settledOffers(exchange)
  const found = errands.locate(exchange, { kind: 'resource', name: uri }).offer
  if (!found) throw notFound('resource', uri, exchange.sender.era)
  if (!session) throw new RpcError(rpcCodes.invalidRequest, 'Only a session can subscribe: initialize first.')
  if (session.followed.has(uri)) return '{}'
  const stop = following.follow({ caller: exchange.caller, session }, found, uri, (text) => session.send(text))
  // On 200: clients take any other status for the end of their session.
  if (typeof stop !== 'function') throw pastBound(stop, 200)
  session.followed.set(uri, stop)
  session.keep({ [followedKey(uri)]: true })
  return '{}'
}

export const unsubscribe = ({ request, session }: Exchange): EncodedResult => {
  const uri = String(request.params?.uri)
  if (session) stopFollowing(session, uri)
  session?.keep({ [followedKey(uri)]: null })
  return '{}'
}

export const stopFollowing = ({ followed }: ClientSession, uri: string): void => {
  followed.get(uri)?.()
  followed.delete(uri)
}

/** Goes on following what a session followed at another place or time. What is gone meanwhile, or past a bound, is left out. */
export const followAgain = async (
  errands: Errands,
  following: Following,
  client: Client,
  session: ClientSession,
  uris: readonly string[],
): Promise<void> => {
  const missing = (): readonly string[] => uris.filter((uri) => !session.followed.has(uri))
  if (missing().length === 0) return
  await errands.settledOffers(client)
  for (const uri of missing()) {
    const { offer } = errands.locate(client, { kind: 'resource', name: uri })
    const stop = offer && following.follow({ caller: client.caller, session }, offer, uri, (text) => session.send(text))
    if (typeof stop === 'function') session.followed.set(uri, stop)
  }
}

const uriOf = ({ request }: Exchange): string => {
  const uri = request.params?.uri
  if (typeof uri === 'string' && uri !== '') return uri
  throw new RpcError(rpcCodes.invalidParams, `${request.method} needs \`uri\`, a string, in its params.`)
}

const withUri = (result: JsonObject, own: string, shown: string): JsonObject => {
  if (!Array.isArray(result.contents)) return result
  const contents = result.contents.map((each) => (isRecord(each) && each.uri === own ? { ...each, uri: shown } : each))
  return { ...result, contents } as JsonObject
}

import type { Offered } from '../../../gateway.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { JsonObject } from '../../../model/json.js'
import type { EncodedResult, Exchange } from '../exchange.js'
import { pageAfter, toPages } from '../list-pages.js'
import type { Errands } from '../surface/errands.js'

/** `prompts/list`: those of all sources this client sees, under the names of its profile. */
export const listPrompts = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { prompts } = await errands.settledOffers(exchange)
  return listReply(errands, exchange, 'prompts', prompts, (prompt) => ({ ...prompt.definition, name: prompt.shown }))
}

/** `prompts/get`, by the name it was listed under. */
export const getPrompt = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { _meta: _, inputResponses: __, requestState: ___, ...params } = exchange.request.params ?? {}
  const { name } = params
  if (typeof name !== 'string')
    throw new RpcError(rpcCodes.invalidParams, 'prompts/get needs `name`, the name of a prompt, in its params.')
  await errands.settledOffers(exchange)
  const wanted = { kind: 'prompt', name } as const
  const result = await errands.ask(exchange, { wanted, found: errands.locate(exchange, wanted), params })
  return errands.encode(exchange, result)
}

/** One page of a list whose items are shown as `toItem` says. */
export const listReply = (
  errands: Errands,
  exchange: Exchange,
  member: string,
  offered: readonly Offered[],
  toItem: (offered: Offered) => JsonObject,
): EncodedResult => {
  const items = offered.map((each) => ({
    key: `${each.mounted.namespace}\u0000${each.own}`,
    json: JSON.stringify(toItem(each)),
  }))
  const sorted = items.sort((one, other) => (one.key < other.key ? -1 : 1))
  const page = pageAfter(toPages(sorted, exchange.profile.maxListBytes), exchange.request.params?.cursor)
  const result = {
    [member]: page.items.map(({ json }) => JSON.parse(json) as JsonObject),
    nextCursor: page.nextCursor,
  }
  return errands.encode(exchange, result, 'list')
}

import { isRpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { EncodedResult, Exchange } from '../exchange.js'
import { type Errands, notFound } from '../surface/errands.js'

/** Methods of the protocol itself: where an era does not have one, no source of that era can answer it. */
const ownMethods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'tasks/list',
  'tasks/result',
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
])

/** A method we do not know goes to the one source that can, if it is one; unchanged, both ways. */
export const forward = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { method } = exchange.request
  const { era } = exchange.sender
  const unknown = () => notFound('other', method, era)
  if (ownMethods.has(method)) throw unknown()
  await errands.settledOffers(exchange)
  const { _meta: _, inputResponses: __, requestState: ___, ...params } = exchange.request.params ?? {}
  const wanted = { kind: 'other', name: method, era } as const
  const found = errands.locate(exchange, wanted)
  const result = await errands.ask(exchange, { wanted, found, params }).catch((error: unknown) => {
    throw isRpcError(error) && error.code === rpcCodes.methodNotFound ? unknown() : error
  })
  return errands.encode(exchange, result)
}

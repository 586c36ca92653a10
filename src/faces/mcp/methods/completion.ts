import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Wanted } from '../../../model/call.js'
import { isRecord } from '../../../model/json.js'
import type { EncodedResult, Exchange } from '../exchange.js'
import { type Errands, notFound } from '../surface/errands.js'

/** `completion/complete`: asked at the source whose prompt or template it is about, in that source's words. */
export const complete = async (errands: Errands, exchange: Exchange): Promise<EncodedResult> => {
  const { _meta: _, ...params } = exchange.request.params ?? {}
  const wanted = wantedBy(params.ref)
  await errands.settledOffers(exchange)
  const found = errands.locate(exchange, wanted)
  // Not every source completes; nothing to suggest is an answer, and not worth an error to a person who types.
  if (found.offer && found.offer.mounted.surface.offer?.capabilities.completions === undefined)
    return errands.encode(exchange, { completion: { values: [], total: 0, hasMore: false } })
  const result = await errands.ask(exchange, { wanted, found, params }).catch((error: unknown) => {
    throw found.offer ? error : notFound(wanted.of, wanted.name, exchange.sender.era)
  })
  return errands.encode(exchange, result)
}

const wantedBy = (ref: unknown): Wanted => {
  if (!isRecord(ref))
    throw new RpcError(
      rpcCodes.invalidParams,
      'completion/complete needs `ref`, a prompt or a resource, in its params.',
    )
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string')
    return { kind: 'completion', of: 'prompt', name: ref.name }
  if (ref.type === 'ref/resource' && typeof ref.uri === 'string')
    return { kind: 'completion', of: 'resource', name: ref.uri }
  throw new RpcError(rpcCodes.invalidParams, '`ref` must be a ref/prompt with `name` or a ref/resource with `uri`.')
}

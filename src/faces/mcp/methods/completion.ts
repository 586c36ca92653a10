import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Exchange, Reply } from '../exchange.js'
import { type Desk, notFound } from '../surface/desk.js'
import type { Located, Scope } from '../surface/scope.js'

/** `completion/complete`: asked at the source whose prompt or template it is about, in that source's words. */
export const complete = async (desk: Desk, exchange: Exchange): Promise<Reply> => {
  const { _meta: _, ...params } = exchange.request.params ?? {}
  const { ref } = params
  if (!isRecord(ref))
    throw new RpcError(
      rpcCodes.invalidParams,
      'completion/complete needs `ref`, a prompt or a resource, in its params.',
    )
  const { located, named } = locate(await desk.settledScope(exchange), ref, exchange)
  // Not every source completes; nothing to suggest is an answer, and not worth an error to a person who types.
  if (located.mounted.surface.offer?.capabilities.completions === undefined)
    return desk.encode(exchange, { completion: { values: [], total: 0, hasMore: false } })
  const result = await desk.ask(exchange, {
    mounted: located.mounted,
    method: 'completion/complete',
    params: { ...params, ref: named },
    name: String(ref.type),
  })
  return desk.encode(exchange, result)
}

const locate = (
  scope: Scope,
  ref: Readonly<Record<string, unknown>>,
  { sender: { era } }: Exchange,
): { readonly located: Located; readonly named: JsonObject } => {
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const prompt = scope.findPrompt(ref.name)
    if (!prompt) throw notFound('prompt', ref.name, era)
    return { located: prompt, named: { ...(ref as JsonObject), name: prompt.own } }
  }
  if (ref.type === 'ref/resource' && typeof ref.uri === 'string') {
    const resource = scope.findTemplate(ref.uri)
    if (!resource) throw notFound('resource', ref.uri, era)
    return { located: resource, named: { ...(ref as JsonObject), uri: resource.own } }
  }
  throw new RpcError(rpcCodes.invalidParams, '`ref` must be a ref/prompt with `name` or a ref/resource with `uri`.')
}

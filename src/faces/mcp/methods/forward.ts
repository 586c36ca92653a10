import type { MountedSurface } from '../../../gateway.js'
import { isRpcError, RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Exchange, Reply } from '../exchange.js'
import type { Desk } from '../surface/desk.js'
import { extensionsIn } from '../surface/introduce.js'
import type { Scope } from '../surface/scope.js'

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
export const forward = async (desk: Desk, exchange: Exchange): Promise<Reply> => {
  const { method } = exchange.request
  const mounted = ownMethods.has(method) ? undefined : answererOf(await desk.settledScope(exchange), exchange)
  if (!mounted) throw unknown(method)
  const { _meta: _, inputResponses: __, requestState: ___, ...params } = exchange.request.params ?? {}
  const result = await desk.ask(exchange, { mounted, method, params, name: method }).catch((error: unknown) => {
    // In our own words: only then does it have the HTTP status of a method that is not there.
    throw isRpcError(error) && error.code === rpcCodes.methodNotFound ? unknown(method) : error
  })
  return desk.encode(exchange, result)
}

/** The only source that says it speaks such things; or, if none says so, the only source there is. */
const answererOf = ({ surfaces }: Scope, { request, sender }: Exchange): MountedSurface | undefined => {
  const reached = surfaces.filter(({ surface }) => surface.offer?.era === sender.era)
  const claiming = reached.filter((mounted) => claims(mounted, request.method))
  if (claiming.length > 0) return claiming.length === 1 ? claiming[0] : undefined
  return surfaces.length === 1 ? reached[0] : undefined
}

const claims = ({ surface }: MountedSurface, method: string): boolean => {
  const family = method.split('/', 1)[0]!
  const capabilities = surface.offer?.capabilities ?? {}
  return (
    Object.hasOwn(capabilities, family) ||
    Object.keys(extensionsIn(capabilities)).some((id) => id === family || id.endsWith(`/${family}`))
  )
}

const unknown = (method: string): RpcError =>
  new RpcError(rpcCodes.methodNotFound, `Method not found: ${method.slice(0, 100)}`)

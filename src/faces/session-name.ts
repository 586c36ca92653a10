import type { IncomingHttpHeaders } from 'node:http'
import type { LegacyRequest, ModernRequest } from '../mcp/eras.js'
import { sessionKey } from '../mcp/handed-over.js'
import { metaOf, type RpcRequest } from '../mcp/message.js'
import type { CallSession } from '../model/call.js'

/** The header by which a client without sessions says which of its caller's clients it is. It is no secret: the caller's is. */
const header = 'pegboard-session'

/**
 * What tells a client without a session from others of its caller: the name that it gives itself by a header or in `_meta`,
 * else the program that it says it is. Nothing here lets it pass for another caller's.
 */
export const standInKey = (
  headers: IncomingHttpHeaders,
  { params }: Pick<RpcRequest, 'params'>,
  sender: ModernRequest | LegacyRequest,
): string => {
  const named = headers[header] ?? metaOf(params)?.[sessionKey]
  if (typeof named === 'string' && named !== '') return `named ${named}`
  const { name, version } = (sender.era === 'modern' ? sender.clientInfo : undefined) ?? {}
  return JSON.stringify(['program', name, version])
}

/** The same of a plain request; undefined where it names none. */
export const namedSession = (headers: IncomingHttpHeaders): CallSession | undefined => {
  const named = headers[header]
  return typeof named === 'string' && named !== '' ? { key: `named ${named}`, onEnd: () => () => {} } : undefined
}

import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Seal } from '../../model/seal.js'

/** What a text of ours says. Throws -32602 for anything that we did not make. */
export const openOwn = (seal: Seal, text: unknown): Record<string, unknown> => {
  const content = seal.open(text)
  if (content === undefined) throw notOurs()
  return content
}

/** One answer for forged, foreign, expired and used ones: anything finer would tell which of them it is. */
export const notOurs = (): RpcError =>
  new RpcError(
    rpcCodes.invalidParams,
    'This state is not valid here: it is used up, expired or not yours. Begin again.',
  )

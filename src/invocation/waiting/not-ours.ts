import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Seal } from '../../model/seal.js'

/** What a text of ours says. Throws -32602 for anything that we did not make. */
export const openOwn = (seal: Seal, text: unknown): Record<string, unknown> => {
  const content = seal.open(text)
  if (content === undefined) throw notOurs()
  return content
}

/** One answer for forged, foreign, expired and used ones: anything finer would tell which of them it is. */
export const notOurs = (): RpcError => new RpcError(rpcCodes.invalidParams, notValid)

const notValid = 'This state is not valid here: it is used up, expired or not yours. Begin again.'

/**
 * The call waits at another replica. A door that can hands the request on to it; for all others, and where that replica is
 * gone, it is a state that is not valid here.
 */
export class WaitsElsewhere extends RpcError {
  constructor(
    readonly replica: string,
    message = notValid,
  ) {
    super(rpcCodes.invalidParams, message)
  }
}

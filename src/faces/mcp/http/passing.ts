import type { WaitsElsewhere } from '../../../gateway.js'
import type { HttpExchange } from '../../../http/route.js'
import { errorText, type RpcRequest, requestText } from '../../../mcp/message.js'
import type { JsonObject } from '../../../model/json.js'
import { refusePlainly } from './refuse.js'

/**
 * How a client's request reaches what another replica has: a call that waits for its answers, a question that it answers, a
 * request that it cancels. A process by itself has none of this.
 */
export interface Passing {
  /** Our own name, as ids and states tell it. */
  readonly replica: string
  /**
   * Hands the whole request on to this replica, and its answer back as it comes. False when it is gone or does not know of
   * it either; then nothing was answered. Never rejects.
   */
  pass(http: HttpExchange, to: string, handed: Handed): Promise<boolean>
  /** Lets all others know; nobody waits. */
  tell(kind: string, content: JsonObject): void
  onTold(kind: string, listener: (content: JsonObject) => void): () => void
}

interface Handed {
  readonly body: string | Buffer
  /** The last message of an event stream that breaks off, for a client that waits for an answer there. */
  readonly cut?: string | undefined
}

/** Once: whoever was handed a request and does not have what it is about says so (421), and hands it to nobody. */
export const passOn = (
  http: HttpExchange,
  passing: Passing,
  { to, otherwise, ...handed }: Handed & { readonly to: string; otherwise(): void },
): void => {
  if (http.passedBy !== undefined) return refusePlainly(http, 421, 'What this is about is not at this replica.')
  void passing.pass(http, to, handed).then((isAnswered) => isAnswered || otherwise())
}

/** A request whose call waits at another replica. Where that is gone, it is to begin again. */
export const passCall = (
  http: HttpExchange,
  passing: Passing,
  { id, method, params }: RpcRequest,
  error: WaitsElsewhere,
  otherwise: () => void,
): void =>
  passOn(http, passing, {
    to: error.replica,
    body: requestText(id, method, params),
    cut: errorText(id, error),
    otherwise,
  })

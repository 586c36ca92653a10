import { messageOf } from '../../errors.js'
import { Cancel, type CancelSignal, toAbortSignal } from '../../model/cancel.js'
import type { JsonObject } from '../../model/json.js'
import type { RpcRequest } from '../message.js'
import { errorText, resultText } from '../message.js'
import { isRpcError, RpcError, type RpcId, rpcCodes } from '../rpc-error.js'

export interface RequestContext {
  /** Aborts when the source cancels its request or the connection ends. Made on first use. */
  readonly signal: AbortSignal
  /** Fires when `signal` would; cheaper, for code that needs no AbortSignal. */
  readonly cancel: CancelSignal
}

/** Answers a request of the source: a result, or a thrown RpcError. */
export type RequestHandler = (request: RpcRequest, context: RequestContext) => Promise<JsonObject> | JsonObject

export interface Inbound {
  answer(request: RpcRequest, handler: RequestHandler | undefined): void
  /** The source does not want the answer any more. */
  cancel(id: RpcId): void
  abortAll(): void
}

// A source that asks without end must not fill our memory with open questions.
const maxOpen = 64

/** Requests that a source sends to us. `ping` is answered here; what nobody handles is refused (-32601). */
export const createInbound = (reply: (text: string) => void): Inbound => {
  const open = new Map<RpcId, Asked>()

  const run = async (request: RpcRequest, handler: RequestHandler): Promise<void> => {
    const asked = new Asked()
    open.set(request.id, asked)
    let text: string
    try {
      text = resultText(request.id, await handler(request, asked))
    } catch (error) {
      text = errorText(request.id, toRpcError(error))
    }
    // A second request under the same id has taken the place: then this answer belongs to nobody.
    const current = open.get(request.id) === asked
    if (current) open.delete(request.id)
    if (current && !asked.cancel.aborted) reply(text)
  }

  return {
    answer: (request, handler) => {
      if (request.method === 'ping') reply(resultText(request.id, {}))
      else if (!handler) reply(errorText(request.id, notHandled(request.method)))
      else if (open.size >= maxOpen) reply(errorText(request.id, tooMany))
      else void run(request, handler)
    },
    cancel: (id) => {
      open.get(id)?.cancel.abort(withdrawn)
      open.delete(id)
    },
    abortAll: () => {
      for (const { cancel } of open.values()) cancel.abort(withdrawn)
      open.clear()
    },
  }
}

class Asked implements RequestContext {
  readonly cancel = new Cancel()

  get signal(): AbortSignal {
    return toAbortSignal(this.cancel)
  }
}

const withdrawn = new RpcError(rpcCodes.internalError, 'The source withdrew its request, or is gone.')

const tooMany = new RpcError(rpcCodes.internalError, `More than ${maxOpen} requests are open.`)

const notHandled = (method: string): RpcError =>
  new RpcError(rpcCodes.methodNotFound, `This client does not answer ${method.slice(0, 64)}.`)

const toRpcError = (error: unknown): RpcError =>
  isRpcError(error) ? error : new RpcError(rpcCodes.internalError, messageOf(error))

import type { ServerResponse } from 'node:http'
import { isRpcError, RpcError, type RpcId, rpcCodes } from '../../../mcp/rpc-error.js'
import { responseBytes, responseHead } from '../../../mcp/serialise.js'
import { errorAnswer } from '../../../mcp/server/error-answer.js'
import { createSseResponse, type SseResponse } from '../../../mcp/server/sse-response.js'
import type { Era } from '../../../mcp/versions.js'
import type { Clock } from '../../../model/clock.js'
import type { Reply } from '../exchange.js'

/** How one POST is answered: with JSON, or as a stream from the first notification on. */
export interface HttpAnswer {
  /** False where the client reads JSON only, so that nothing can be said before the answer. */
  readonly streams: boolean
  notify(text: string): void
  reply(id: RpcId, reply: Reply): void
  refuse(error: unknown, id: RpcId | null, era: Era): void
}

export interface HttpAnswerOptions {
  readonly clock: Clock
  /** The client reads event streams; otherwise its notifications are dropped. */
  readonly streams: boolean
  readonly headers: Readonly<Record<string, string>>
}

export const createHttpAnswer = (
  response: ServerResponse,
  { clock, streams, headers }: HttpAnswerOptions,
): HttpAnswer => {
  let stream: SseResponse | undefined
  const send = (status: number, body: string | Buffer): void => {
    if (stream) return stream.end(body)
    if (response.headersSent || response.destroyed) return
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    })
    response.end(body)
  }
  /** Prepared bytes go out between a head and a tail of their own: a megabyte is not copied for each who asks. */
  const sendPrepared = (id: RpcId, result: Buffer): void => {
    if (stream) return stream.end(responseBytes(id, result))
    if (response.headersSent || response.destroyed) return
    const head = Buffer.from(responseHead(id))
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': head.length + result.length + 1,
      ...headers,
    })
    response.cork()
    response.write(head)
    response.write(result)
    response.end('}')
    response.uncork()
  }
  return {
    streams,
    notify: (text) => {
      if (!streams || response.destroyed) return
      stream ??= createSseResponse(response, { clock, headers })
      stream.send(text)
    },
    reply: (id, reply) => {
      if (typeof reply === 'string') send(200, `${responseHead(id)}${reply}}`)
      else sendPrepared(id, reply)
    },
    refuse: (error, id, era) => {
      const { status, body } = errorAnswer(toRpcError(error), id, era)
      send(status, body)
    },
  }
}

// What is not a refusal is a bug of ours: said without its insides.
export const toRpcError = (error: unknown): RpcError =>
  isRpcError(error)
    ? error
    : new RpcError(rpcCodes.internalError, 'The gateway failed to answer. Please report this.', { cause: error })

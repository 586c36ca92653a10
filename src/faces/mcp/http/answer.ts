import type { ServerResponse } from 'node:http'
import type { Era } from '../../../mcp/eras.js'
import { responseBytes, responseHead } from '../../../mcp/message.js'
import { isRpcError, RpcError, type RpcId, rpcCodes } from '../../../mcp/rpc-error.js'
import { errorAnswer } from '../../../mcp/server/error-answer.js'
import { createSseResponse, type SseResponse } from '../../../mcp/server/sse-response.js'
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
}

export const createHttpAnswer = (response: ServerResponse, { clock, streams }: HttpAnswerOptions): HttpAnswer =>
  new PostAnswer(response, clock, streams)

/** A class, since one is made per request: methods are shared, functions of its own would be made each time. */
class PostAnswer implements HttpAnswer {
  readonly #response: ServerResponse
  readonly #clock: Clock
  #stream: SseResponse | undefined

  constructor(
    response: ServerResponse,
    clock: Clock,
    readonly streams: boolean,
  ) {
    this.#response = response
    this.#clock = clock
  }

  notify(text: string): void {
    if (!this.streams || this.#response.destroyed) return
    this.#stream ??= createSseResponse(this.#response, { clock: this.#clock, headers: ownHeaders })
    this.#stream.send(text)
  }

  reply(id: RpcId, reply: Reply): void {
    if (typeof reply === 'string') this.#send(200, `${responseHead(id)}${reply}}`)
    else this.#sendPrepared(id, reply)
  }

  refuse(error: unknown, id: RpcId | null, era: Era): void {
    const { status, body } = errorAnswer(toRpcError(error), id, era)
    this.#send(status, body)
  }

  #send(status: number, body: string): void {
    if (this.#stream) return this.#stream.end(body)
    if (this.#isOver) return
    this.#response.writeHead(status, headersFor(Buffer.byteLength(body)))
    this.#response.end(body)
  }

  /** Prepared bytes go out between a head and a tail of their own: a megabyte is not copied for each who asks. */
  #sendPrepared(id: RpcId, result: Buffer): void {
    const response = this.#response
    if (this.#stream) return this.#stream.end(responseBytes(id, result))
    if (this.#isOver) return
    const head = Buffer.from(responseHead(id))
    response.writeHead(200, headersFor(head.length + result.length + 1))
    response.cork()
    response.write(head)
    response.write(result)
    response.end('}')
    response.uncork()
  }

  get #isOver(): boolean {
    return this.#response.headersSent || this.#response.destroyed
  }
}

/** The route sets none beforehand, which would put every answer on Node's slow way. */
export const ownHeaders = Object.freeze({ 'x-content-type-options': 'nosniff' })

const headersFor = (length: number) => ({
  'content-type': 'application/json',
  'content-length': length,
  'x-content-type-options': 'nosniff',
})

// What is not a refusal is a bug of ours: said without its insides.
export const toRpcError = (error: unknown): RpcError =>
  isRpcError(error)
    ? error
    : new RpcError(rpcCodes.internalError, 'The gateway failed to answer. Please report this.', { cause: error })

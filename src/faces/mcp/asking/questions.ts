import { randomUUID } from 'node:crypto'
import type { RpcResponse } from '../../../mcp/message.js'
import { notificationText, requestText } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Question } from '../../../model/asking.js'
import type { CancelSignal } from '../../../model/cancel.js'
import type { Clock } from '../../../model/clock.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Shares } from '../../../model/shares.js'

/** Requests of ours to one legacy client, which answers them by messages of its own. */
export interface ClientQuestions {
  /** Sends it by `send` and waits. Rejects with the client's refusal, or when it left or took too long. */
  ask(question: Question, send: (text: string) => void, signal: CancelSignal): Promise<JsonObject>
  /** False when no question of ours has this id. */
  settle(response: RpcResponse): boolean
  readonly size: number
  /** The client is gone: nobody will answer. */
  close(): void
}

export interface QuestionLimits {
  /** Open at once for one client. Default 64. */
  readonly most?: number | undefined
  /** A person's time to answer. Default 10 minutes. */
  readonly answerMs?: number | undefined
}

/** Whose client it is: all clients of one caller share what a caller may have open. */
export interface QuestionOwner {
  readonly caller: string
  readonly shares: Shares
  /** Our name among replicas, which the id of a question tells: its answer may come in at another. Default: ids name nobody. */
  readonly replica?: string | undefined
}

interface Open {
  resolve(result: JsonObject): void
  reject(error: Error): void
}

export const createClientQuestions = (
  clock: Clock,
  { caller, shares, replica }: QuestionOwner,
  { most = 64, answerMs = 600_000 }: QuestionLimits = {},
): ClientQuestions => {
  const share = shares.of('questions')
  const open = new Map<string, Open>()
  // Not to be guessed: an answer counts only from the client that was asked.
  const prefix = randomUUID()
  const suffix = replica === undefined ? '' : `@${replica}`
  let last = 0

  return {
    ask: ({ method, params }, send, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(gone('The call has ended.'))
        if (open.size >= most)
          return reject(new RpcError(rpcCodes.internalError, `${most} questions are open already.`))
        const refused = share.take(caller)
        if (refused) return reject(new RpcError(rpcCodes.internalError, refused.message))
        const id = `${prefix}:${++last}${suffix}`
        const end = (): void => {
          if (open.delete(id)) share.give(caller)
          stopTimer()
          signal.removeEventListener('abort', withdraw)
        }
        const withdraw = (): void => {
          end()
          send(notificationText('notifications/cancelled', { requestId: id, reason: 'The call has ended.' }))
          reject(gone('The call has ended.'))
        }
        const stopTimer = clock.after(answerMs, () => {
          end()
          send(notificationText('notifications/cancelled', { requestId: id, reason: 'Nobody answered in time.' }))
          reject(gone(`The client did not answer within ${answerMs} ms.`))
        })
        signal.addEventListener('abort', withdraw, { once: true })
        open.set(id, {
          resolve: (result) => {
            end()
            resolve(result)
          },
          reject: (error) => {
            end()
            reject(error)
          },
        })
        send(requestText(id, method, forLegacy(method, params)))
      }),
    settle: (response) => {
      const waiting = typeof response.id === 'string' ? open.get(response.id) : undefined
      if (!waiting) return false
      if (response.kind === 'failure') {
        const { code, message, data } = response.error
        waiting.reject(new RpcError(code, message, { data, httpStatus: 200 }))
      } else if (isRecord(response.result)) waiting.resolve(response.result as JsonObject)
      else waiting.reject(new RpcError(rpcCodes.invalidParams, 'The client answered with something that is no object.'))
      return true
    },
    get size() {
      return open.size
    },
    close: () => {
      for (const waiting of [...open.values()]) waiting.reject(gone('The client has left.'))
    },
  }
}

/** The replica that put the question with this id; undefined where it names none. */
export const replicaAsking = (id: unknown): string | undefined => {
  const [, replica] = typeof id === 'string' ? (/^[0-9a-f-]{36}:\d+@(.+)$/.exec(id) ?? []) : []
  return replica
}

/** Modern servers name no elicitation; legacy clients want an id for those that happen elsewhere. */
const forLegacy = (method: string, params: JsonObject | undefined): JsonObject | undefined =>
  method === 'elicitation/create' && params?.mode === 'url' && params.elicitationId === undefined
    ? { ...params, elicitationId: randomUUID() }
    : params

const gone = (message: string): RpcError => new RpcError(rpcCodes.internalError, message)

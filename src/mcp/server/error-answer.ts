import { isRecord } from '../../model/json.js'
import type { Era } from '../eras.js'
import { errorText } from '../message.js'
import { httpStatusOf, type RpcError, type RpcId } from '../rpc-error.js'

export interface RpcErrorAnswer {
  readonly status: number
  readonly body: string
  /** When to come back, where time helps. */
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** An error as HTTP carries it. A legacy client gets the legacy status, unless the error insists on one of its own. */
export const errorAnswer = (error: RpcError, id: RpcId | null, era: Era): RpcErrorAnswer => ({
  status: statusOf(error, era),
  body: errorText(id ?? error.id, error),
  headers: waitOf(error.data),
})

const waitOf = (data: unknown): Readonly<Record<string, string>> | undefined =>
  isRecord(data) && typeof data.retryAfterMs === 'number'
    ? { 'retry-after': String(Math.ceil(data.retryAfterMs / 1000)) }
    : undefined

const statusOf = (error: RpcError, era: Era): number => {
  const ownStatus = error.httpStatus !== httpStatusOf(error.code, 'modern')
  return ownStatus ? error.httpStatus : httpStatusOf(error.code, era)
}

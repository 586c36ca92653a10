import type { RpcError, RpcId } from './rpc-error.js'

/** `params` undefined leaves the key out, as JSON-RPC wants it. */
export const requestText = (id: RpcId, method: string, params: unknown): string =>
  requestAround(id, method, params === undefined ? undefined : JSON.stringify(params))

/** A request around params that are JSON already. */
export const requestAround = (id: RpcId, method: string, params: string | undefined): string => {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)}`
  return params === undefined ? `${head}}` : `${head},"params":${params}}`
}

export const notificationText = (method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params })

export const resultText = (id: RpcId, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result })

/** The body of an error answer. `data` is left out when there is none; the id is null when it could not be read. */
export const errorText = (id: RpcId | null, error: Pick<RpcError, 'code' | 'message' | 'data'>): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: error.code, message: error.message, data: error.data } })

/** What stands before a result that was serialised before; `}` stands behind it. */
export const responseHead = (id: RpcId): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`

const tail = Buffer.from('}')

/** An answer around a result that was serialised before: a list of 2,000 tools is prepared once, the id spliced per request. */
export const responseBytes = (id: RpcId, result: Buffer): Buffer =>
  Buffer.concat([Buffer.from(responseHead(id)), result, tail])

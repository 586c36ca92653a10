import type { JsonObject, JsonValue } from '../model/json.js'
import type { RawResult } from '../model/raw-result.js'
import type { RpcError, RpcId } from './rpc-error.js'

/** A question: it gets exactly one answer with the same id. */
export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RpcId
  readonly method: string
  readonly params: JsonObject | undefined
  /** Bytes of the message on the wire, for limits over several messages. */
  readonly bytes: number
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject | undefined
  readonly bytes: number
}

/** An answer that worked; whatever the other side put into it is untouched. */
export interface RpcResult {
  readonly kind: 'result'
  readonly id: RpcId
  readonly result: unknown
  /** The result as bytes, where it was not parsed: reading `result` does that. */
  readonly raw?: RawResult | undefined
  readonly bytes: number
}

/** An answer that did not. A null id means that the other side could not read ours. */
export interface RpcFailure {
  readonly kind: 'failure'
  readonly id: RpcId | null
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly bytes: number
}

export type RpcResponse = RpcResult | RpcFailure
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse

export const isResponse = (message: RpcMessage): message is RpcResponse =>
  message.kind === 'result' || message.kind === 'failure'

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
export const responseBytes = (id: RpcId, result: Buffer | readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(responseHead(id)), ...(Buffer.isBuffer(result) ? [result] : result), tail])

/** The reserved `_meta` keys of revision 2026-07-28 that this gateway reads or writes. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

/** Long-running calls, which exist in the modern era alone. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** Who we are, as `clientInfo` and `serverInfo` show it. */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string | undefined
  readonly [key: string]: JsonValue | undefined
}

/** True for keys that belong to the protocol: a prefix whose second label is `modelcontextprotocol` or `mcp`. */
export const isReservedMetaKey = (key: string): boolean => {
  // Every modern request has some of these; the rest of the rule is for the seldom ones.
  if (key.startsWith('io.modelcontextprotocol/')) return true
  const slash = key.indexOf('/')
  if (slash < 0) return false
  const label = key.slice(0, slash).split('.', 2)[1]?.toLowerCase()
  return label === 'modelcontextprotocol' || label === 'mcp'
}

/**
 * What may cross the gateway, in either direction: everything but the reserved keys, which speak of one hop only
 * (who the client is, what it can do) and would be lies on the next. Progress tokens and trace context stay.
 */
export const stripReserved = (meta: JsonObject | undefined): JsonObject | undefined => {
  if (!meta) return undefined
  const keys = Object.keys(meta)
  let reserved = 0
  for (const key of keys) if (isReservedMetaKey(key)) reserved += 1
  // The usual cases, of which neither makes an object: nothing of the protocol's, nothing but the protocol's.
  if (reserved === 0) return meta
  if (reserved === keys.length) return undefined
  // fromEntries defines properties, so a `__proto__` key stays data.
  return Object.fromEntries(keys.filter((key) => !isReservedMetaKey(key)).map((key) => [key, meta[key]]))
}

export interface ClientStamp {
  readonly version: string
  readonly capabilities: JsonObject
  readonly clientInfo: Implementation
  /** Undefined is left out of the text. */
  readonly logLevel?: string | undefined
}

/** The `_meta` of a modern request: the caller's own keys, ours for this hop. */
export const stampRequest = (meta: JsonObject | undefined, stamp: ClientStamp): JsonObject => ({
  ...stripReserved(meta),
  // Written out, as in `metaKeys`: V8 makes an object of known keys at once and one of computed keys one by one.
  'io.modelcontextprotocol/protocolVersion': stamp.version,
  'io.modelcontextprotocol/clientCapabilities': stamp.capabilities,
  'io.modelcontextprotocol/clientInfo': stamp.clientInfo,
  'io.modelcontextprotocol/logLevel': stamp.logLevel,
})

/** The last text again where nothing differs: callers of one kind say the same with each call. */
export const createStampText = () => {
  let known = { version: '', capabilities: '', logLevel: undefined as string | undefined, text: '' }
  return (
    version: string,
    capabilities: JsonObject,
    clientInfo: Implementation,
    logLevel: string | undefined,
  ): string => {
    const declared = JSON.stringify(capabilities)
    if (known.version === version && known.capabilities === declared && known.logLevel === logLevel) return known.text
    const stamp = stampRequest(undefined, { version, capabilities, clientInfo, logLevel })
    known = { version, capabilities: declared, logLevel, text: JSON.stringify(stamp).slice(1, -1) }
    return known.text
  }
}

/** The `_meta` of a modern result. The serverInfo of a source is dropped: to the client, we are the server. */
export const stampResult = (meta: JsonObject | undefined, serverInfo: Implementation): JsonObject => ({
  ...stripReserved(meta),
  [metaKeys.serverInfo]: serverInfo,
})

/** The `_meta` of a request's or result's object, if it is an object. */
export const metaOf = (holder: JsonObject | undefined): JsonObject | undefined => {
  const meta = holder?._meta
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? (meta as JsonObject) : undefined
}

export const withoutMeta = (params: JsonObject): JsonObject => {
  const { _meta: _, ...rest } = params
  return rest
}

/** The caller's token means something to the caller only; a token of ours goes out when somebody listens. */
export const withoutToken = (meta: JsonObject | undefined): JsonObject | undefined => {
  if (!meta || !Object.hasOwn(meta, 'progressToken')) return meta
  const { progressToken: _, ...rest } = meta
  return Object.keys(rest).length > 0 ? rest : undefined
}

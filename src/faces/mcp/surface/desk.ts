import { isGatewayError } from '../../../errors.js'
import type { MountedSurface } from '../../../gateway.js'
import type { Era } from '../../../mcp/eras.js'
import { type Implementation, metaOf } from '../../../mcp/message.js'
import { isRpcError, RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { legacyResult, modernResult } from '../../../mcp/server/project.js'
import { toAbortSignal } from '../../../model/cancel.js'
import type { Clock } from '../../../model/clock.js'
import type { JsonObject } from '../../../model/json.js'
import type { Converse } from '../asking/converse.js'
import type { Exchange, Reply } from '../exchange.js'
import { listTtlMs } from '../view.js'
import { withDeadline } from './deadline.js'
import type { Scope } from './scope.js'

export interface DeskOptions {
  readonly converse: Converse
  readonly scopeOf: (exchange: Exchange) => Scope
  readonly serverInfo: Implementation
  readonly clock: Clock
}

/** Where requests that are no tool calls go to one source and come back. */
export interface Desk extends DeskOptions {
  /** The scope, once lists that are being read have been read, or have taken too long. */
  settledScope(exchange: Exchange): Promise<Scope>
  /** The source's result, with its refusal in the client's era's words. */
  ask(exchange: Exchange, to: Errand): Promise<JsonObject>
  /** The result as this client's era wants it. */
  encode(exchange: Exchange, result: JsonObject, caching?: 'list' | 'read'): Reply
}

export interface Errand {
  readonly mounted: MountedSurface
  readonly method: string
  readonly params: JsonObject
  /** What it is about, for operators. */
  readonly name: string
}

// A list waits so long for a source that is still reading its own; then it goes out without, and a change is told.
const settleMs = 3000

export const createDesk = (options: DeskOptions): Desk => {
  const { converse, scopeOf, serverInfo, clock } = options
  return {
    ...options,
    settledScope: async (exchange) => {
      const scope = scopeOf(exchange)
      await settle(scope.surfaces, clock)
      return scopeOf(exchange)
    },
    ask: async (exchange, { mounted, method, params, name }) => {
      const { caller } = exchange
      const meta = metaOf(exchange.request.params)
      try {
        return await converse.run(exchange, name, ({ asking, signal, onProgress }) =>
          withDeadline(clock, toAbortSignal(signal), (timed) =>
            mounted.surface.request(method, params, { caller, meta, asking, onProgress, ...timed }),
          ),
        )
      } catch (error) {
        throw toRefusal(error, exchange.sender.era)
      }
    },
    encode: (exchange, result, caching) =>
      JSON.stringify(
        exchange.sender.era === 'legacy'
          ? legacyResult(result)
          : modernResult(result, { serverInfo, caching: caching ? cachingOf(result, caching) : undefined }),
      ),
  }
}

/** Always private: what is behind depends on who asks, whatever the source thinks of its own (T35). */
const cachingOf = (result: JsonObject, kind: 'list' | 'read') => {
  const { ttlMs } = result
  const own = typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0 ? ttlMs : 0
  return { ttlMs: kind === 'list' ? listTtlMs : own, cacheScope: 'private' as const }
}

const settle = async (surfaces: readonly MountedSurface[], clock: Clock): Promise<void> => {
  let stop = (): void => {}
  const late = new Promise<void>((resolve) => {
    stop = clock.after(settleMs, resolve)
  })
  await Promise.race([late, Promise.all(surfaces.map(({ surface }) => surface.settled()))])
  stop()
}

/** `-32002` is how a legacy source says that there is no such resource; the modern era has one code for all of that. */
const legacyNotFound = -32002

const toRefusal = (error: unknown, era: Era): unknown => {
  if (isRpcError(error)) return translated(error, era)
  if (isGatewayError(error))
    return new RpcError(rpcCodes.internalError, error.message, { data: { code: error.code }, cause: error })
  return error
}

/** A source's JSON-RPC error for a client of this era. */
export const translated = (error: RpcError, era: Era): RpcError => {
  const { code, message, data } = error
  if (era === 'modern' && code === legacyNotFound) return new RpcError(rpcCodes.invalidParams, message, { data })
  // It has an HTTP status of its own in the modern era, which clients look at.
  if (era === 'modern' && code === rpcCodes.missingCapability) return new RpcError(code, message, { data })
  if (era === 'legacy' && code <= rpcCodes.headerMismatch && code >= -32099)
    return new RpcError(rpcCodes.invalidRequest, message, { data, httpStatus: 200 })
  return new RpcError(code, message, { data, httpStatus: 200 })
}

/** What a client names and cannot have: absent and hidden sound alike. */
export const notFound = (what: 'prompt' | 'resource', name: string, era: Era): RpcError => {
  const shown = name.slice(0, 200)
  if (what === 'prompt') return new RpcError(rpcCodes.invalidParams, `Unknown prompt: ${shown}`)
  const code = era === 'legacy' ? legacyNotFound : rpcCodes.invalidParams
  return new RpcError(code, `Resource not found: ${shown}`, { data: { uri: shown }, httpStatus: 200 })
}

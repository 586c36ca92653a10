import { isGatewayError } from '../../../errors.js'
import type { Gateway, Located, MountedSurface, Offers } from '../../../gateway.js'
import type { Era } from '../../../mcp/eras.js'
import { legacyResult, modernResult } from '../../../mcp/eras.js'
import { type Implementation, metaOf } from '../../../mcp/message.js'
import { isRpcError, RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Found, Wanted } from '../../../model/call.js'
import type { Clock } from '../../../model/clock.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import { RawResult } from '../../../model/raw-result.js'
import type { SignInDoor } from '../asking/sign-in-question.js'
import { Talk, type Talks } from '../asking/talk.js'
import { legacyNotFound, ownRefusal, translated } from '../encode-error.js'
import type { Client, EncodedResult, Exchange } from '../exchange.js'
import { timeFor } from '../methods/tools-call.js'
import { originOf } from '../origin.js'
import { listTtlMs } from '../view.js'

export interface ErrandsOptions {
  readonly gateway: Gateway
  readonly talks: Talks
  readonly serverInfo: Implementation
  readonly clock: Clock
  /** Where callers sign in for themselves; without it the refusal of a source goes out as it is. */
  readonly signInDoor?: SignInDoor | undefined
}

/** Where requests that are no tool calls are put into the gateway's words, and its answers into the client's. */
export interface Errands extends ErrandsOptions {
  offersOf(client: Client): Offers
  /** The same, once lists that are being read have been read, or have taken too long. */
  settledOffers(client: Client): Promise<Offers>
  /** What the client means, if it may know of it. */
  locate(client: Client, wanted: Wanted): FoundOffer
  /** The source's result, with a refusal in the words of the client's era. */
  ask(exchange: Exchange, errand: Errand): Promise<JsonObject>
  /** The result as this client's era wants it. */
  encode(exchange: Exchange, result: JsonObject, caching?: 'list' | 'read'): EncodedResult
}

export type FoundOffer = Found & { readonly offer: Located | undefined }

export interface Errand {
  readonly wanted: Wanted
  readonly found: FoundOffer
  readonly params: JsonObject
}

// A list waits so long for a source that is still reading its own; then it goes out without, and a change is told.
const settleMs = 3000

export const createErrands = (options: ErrandsOptions): Errands => {
  const { gateway, talks, serverInfo, clock } = options
  const offersOf = ({ caller, profile }: Client): Offers => gateway.offers(caller, profile.naming)
  return {
    ...options,
    offersOf,
    settledOffers: async (client) => {
      await settle(offersOf(client).surfaces, clock)
      return offersOf(client)
    },
    locate: ({ caller, profile }, wanted) => gateway.locate(wanted, caller, profile.naming),
    ask: async (exchange, errand) => {
      // Before anything of a source's: what is thrown here is our own refusal, and says where else to go.
      const talk = talks.open(exchange, errand.wanted.name)
      try {
        const result = await (talk instanceof Talk ? talk.until(resultOf(options, exchange, errand, talk)) : talk)
        return result instanceof RawResult ? result.value : result
      } catch (error) {
        throw toRefusal(error, exchange.sender.era, errand.wanted.name)
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

const resultOf = async (
  { gateway, signInDoor: door }: ErrandsOptions,
  exchange: Exchange,
  { wanted: { kind, name, source }, found, params }: Errand,
  talk: Talk,
): Promise<JsonObject> => {
  const { caller, profile, request } = exchange
  const again = (): Promise<Outcome> =>
    gateway.call({
      kind,
      tool: name,
      source,
      found,
      args: params,
      caller,
      session: exchange.session ?? exchange.standIn,
      from: originOf(exchange),
      signal: talk.signal,
      asking: talk,
      timeoutMs: timeFor(profile.timeoutMs, found),
      onProgress: talk.onProgress,
      meta: metaOf(request.params),
    })
  let outcome = await again()
  if (!outcome.ok && outcome.error.code === 'SIGN_IN_REQUIRED' && door && asking.has(kind)) {
    const { askToSignIn } = await import('../asking/sign-in-question.js')
    const ended = await askToSignIn({ door, exchange, talk, again }, outcome.error)
    if (isGatewayError(ended)) throw ended
    outcome = ended
  }
  if (!outcome.ok) throw outcome.error
  const { answer } = outcome
  return talk.sealed((answer.type === 'value' ? answer.value : answer.result) as JsonObject)
}

// Whoever types is not sent away for a suggestion.
const asking: ReadonlySet<Wanted['kind']> = new Set<Wanted['kind']>(['prompt', 'resource'])

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

const toRefusal = (error: unknown, era: Era, name: string): unknown => {
  if (isRpcError(error)) return translated(error, era)
  if (!isGatewayError(error)) return error
  const own = ownRefusal(error, era)
  if (own) return own
  if (error.code === 'NOT_OFFERED') return notFound(error.details?.kind, name, era)
  const retry = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
  const code = error.code === 'TOOL_HELD' ? rpcCodes.invalidParams : rpcCodes.internalError
  const where = error.code === 'SIGN_IN_REQUIRED' ? error.details : {}
  return new RpcError(code, error.message, { data: { code: error.code, ...retry, ...where }, cause: error })
}

/** What a client names and cannot have: absent and hidden sound alike. */
export const notFound = (what: unknown, name: string, era: Era): RpcError => {
  const shown = name.slice(0, 200)
  if (what === 'prompt') return new RpcError(rpcCodes.invalidParams, `Unknown prompt: ${shown}`)
  // In our own words: only then does it have the HTTP status of a method that is not there.
  if (what === 'other') return new RpcError(rpcCodes.methodNotFound, `Method not found: ${name.slice(0, 100)}`)
  const code = era === 'legacy' ? legacyNotFound : rpcCodes.invalidParams
  return new RpcError(code, `Resource not found: ${shown}`, { data: { uri: shown }, httpStatus: 200 })
}

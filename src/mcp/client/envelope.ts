import type { JsonObject } from '../../model/json.js'
import { requestHeaders } from '../headers.js'
import { type ClientStamp, metaOf, stampRequest, stripReserved } from '../message.js'
import type { ClientPeerOptions, RequestOptions } from './client-peer.js'
import { legacyHeaders, type PeerInfo } from './handshake.js'

/**
 * The params of a request as this source's era wants them, on their way to text. `_meta` is put behind them there: what
 * we say about ourselves is nearly always the same text, and building it as an object cost more than all of the rest.
 */
export class RequestParams {
  /** Without `_meta`. */
  readonly params: JsonObject | undefined
  readonly #meta: JsonObject | undefined
  readonly #stamp: string

  constructor(params: JsonObject | undefined, meta: JsonObject | undefined, stamp: string) {
    this.params = params
    this.#meta = meta
    this.#stamp = stamp
  }

  /** Undefined where there is nothing to say. The token goes out when somebody listens for progress. */
  toText(token: number | undefined): string | undefined {
    const own = this.#meta ? JSON.stringify(this.#meta).slice(1, -1) : ''
    const told = token === undefined ? '' : `"progressToken":${token}`
    const meta = joined(joined(own, this.#stamp), told)
    const text = this.params && JSON.stringify(this.params)
    if (meta === '') return text
    return text === undefined || text === '{}' ? `{"_meta":{${meta}}}` : `${text.slice(0, -1)},"_meta":{${meta}}}`
  }
}

const joined = (a: string, b: string): string => (a === '' ? b : b === '' ? a : `${a},${b}`)

export type ToParams = (peer: PeerInfo, params: JsonObject | undefined, request: RequestOptions) => RequestParams

/** Makes the params of requests to one source. */
export const createToParams = (options: ClientPeerOptions): ToParams => {
  const stampText = createStampText()
  return (peer, params, request) => {
    const meta = stripReserved(withoutToken(request.meta ?? metaOf(params)))
    const rest = params && '_meta' in params ? withoutMeta(params) : params
    if (peer.era === 'legacy') return new RequestParams(rest, meta, '')
    const capabilities = request.capabilities ?? options.capabilities ?? {}
    const { clientInfo } = options
    return new RequestParams(rest, meta, stampText(peer.version, capabilities, clientInfo, request.logLevel))
  }
}

/** The last text again where nothing differs: callers of one kind say the same with each call. */
const createStampText = () => {
  let known = { version: '', capabilities: '', logLevel: undefined as string | undefined, text: '' }
  return (
    version: string,
    capabilities: JsonObject,
    clientInfo: ClientStamp['clientInfo'],
    logLevel: string | undefined,
  ): string => {
    const declared = JSON.stringify(capabilities)
    if (known.version === version && known.capabilities === declared && known.logLevel === logLevel) return known.text
    const stamp = stampRequest(undefined, { version, capabilities, clientInfo, logLevel })
    known = { version, capabilities: declared, logLevel, text: JSON.stringify(stamp).slice(1, -1) }
    return known.text
  }
}

/** The headers of a request over HTTP. */
export const toHeaders = (
  peer: PeerInfo,
  method: string,
  params: JsonObject | undefined,
  { headerParams }: RequestOptions,
): Readonly<Record<string, string>> =>
  peer.era === 'legacy'
    ? legacyHeaders(peer.version)
    : requestHeaders({ version: peer.version, method, params, headerParams })

const withoutMeta = (params: JsonObject): JsonObject => {
  const { _meta: _, ...rest } = params
  return rest
}

// The caller's token means something to the caller only; a token of ours goes out when somebody listens.
const withoutToken = (meta: JsonObject | undefined): JsonObject | undefined => {
  if (!meta || !Object.hasOwn(meta, 'progressToken')) return meta
  const { progressToken: _, ...rest } = meta
  return Object.keys(rest).length > 0 ? rest : undefined
}

import { GatewayError } from '../../errors.js'
import { defined, type JsonObject } from '../../model/json.js'
import type { GuardedFetch } from '../guarded-fetch.js'
import type { SourceCall } from '../source.js'
import { type BuiltRequest, buildRequest } from './build-request.js'
import type { OperationPlan, OperationSet } from './operation.js'
import type { OpenApiOptions } from './options.js'
import { urlOf } from './read-document.js'

/** One call as one request. */
export const send = (
  fetch: GuardedFetch,
  plan: OperationPlan,
  args: JsonObject,
  set: OperationSet,
  options: OpenApiOptions,
  { call, signal }: Pick<SourceCall, 'call' | 'signal'>,
) => {
  const base = baseOf(set, plan.server, options)
  const built: BuiltRequest = buildRequest(plan, args, base)
  const { headers, query } = credentialsFor(built.url, options, baseOf(set, undefined, options))
  for (const [name, value] of query) built.url.searchParams.set(name, value)
  return fetch(built.url, {
    method: plan.method as 'GET',
    // The operator's headers last: an argument must not replace them.
    headers: { ...built.headers, ...traceHeaders(call.meta), ...call.headers, ...headers },
    body: built.body,
    signal,
    maxBytes: options.maxResponseBytes ?? 4 * 1024 * 1024,
  })
}

/** Where calls go: what the operator wrote, else the operation's or the document's server, beside the document itself. */
export const baseOf = ({ server }: OperationSet, own: string | undefined, { baseUrl, spec }: OpenApiOptions): URL => {
  if (baseUrl !== undefined) return new URL(baseUrl)
  const named = own ?? server ?? '/'
  const beside = urlOf(spec)?.href
  if (URL.canParse(named, beside)) {
    const url = new URL(named, beside)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  }
  throw new GatewayError(
    'SOURCE_INVALID',
    `The OpenAPI document ${spec.slice(0, 200)} names no server that can be called; set baseUrl.`,
  )
}

/**
 * Credentials go to the origin the operator named and to no other: the base URL, else where the document came from,
 * else, for a file of the operator's own, the server in it.
 */
export const credentialsFor = (
  url: URL,
  { baseUrl, spec, headers = {}, auth }: OpenApiOptions,
  documentServer?: URL,
): { headers: Record<string, string>; query: readonly (readonly [string, string])[] } => {
  const home = baseUrl === undefined ? (urlOf(spec) ?? documentServer) : new URL(baseUrl)
  if (home?.origin !== url.origin) return { headers: {}, query: [] }
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  if (auth?.type === 'bearer') return { headers: { ...own, authorization: `Bearer ${auth.token}` }, query: [] }
  if (auth?.type === 'header') return { headers: { ...own, [auth.name.toLowerCase()]: auth.value }, query: [] }
  return { headers: own, query: auth ? [[auth.name, auth.value]] : [] }
}

// W3C Trace Context §3.2 and §3.3, version 00's form. Whatever else stands there is a caller's text and no header.
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const tracestate = /^[ -~]{1,512}$/

/**
 * The trace that a call belongs to, as HTTP has it. Baggage stays here: it is the caller's own words, and the API
 * behind may be anybody's.
 */
export const traceHeaders = (meta: JsonObject | undefined): Readonly<Record<string, string>> => {
  const parent = meta?.traceparent
  if (typeof parent !== 'string' || !traceparent.test(parent)) return {}
  const state = meta?.tracestate
  return defined({
    traceparent: parent,
    tracestate: typeof state === 'string' && tracestate.test(state) ? state : undefined,
  })
}

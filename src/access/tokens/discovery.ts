import { GatewayError, messageOf } from '../../errors.js'
import { isLoopbackHost } from '../../http/admit.js'
import { isRecord } from '../../model/json.js'

/** Bounded in bytes and time, follows no redirects, and keeps away from addresses that nobody wrote down. */
export type IssuerFetch = typeof fetch

/** What an issuer says of itself. */
export interface IssuerFacts {
  readonly jwksUri: string
  readonly introspectionEndpoint?: string | undefined
  /** Its clock, by the header of its answer; milliseconds since the epoch. */
  readonly date?: number | undefined
}

/**
 * Asks an issuer about itself: by OpenID Connect's document, else by OAuth's (RFC 8414). ISSUER_UNAVAILABLE where it is away
 * or says something that we cannot take; `details.reason` tells which.
 */
export const discover = async (issuer: string, fetch: IssuerFetch): Promise<IssuerFacts> => {
  const [first, second] = documentsOf(issuer)
  const answer = await askIssuer(issuer, first!, fetch)
  const found = answer.status === 404 ? await askIssuer(issuer, second!, fetch) : answer
  const { issuer: named, jwks_uri: jwksUri, introspection_endpoint: introspectionEndpoint } = found.body
  if (found.status !== 200) throw away(issuer, `its description answers ${found.status}`, 'STATUS')
  if (named !== issuer)
    throw away(
      issuer,
      typeof named === 'string'
        ? `it calls itself '${named.slice(0, 200)}'. Write exactly that as the issuer, last slash included, if it is the right one`
        : 'its description names no issuer',
      'MISMATCH',
    )
  if (!isSecure(jwksUri)) throw away(issuer, 'its description names no https address of its keys (jwks_uri)', 'NO_KEYS')
  return {
    jwksUri,
    introspectionEndpoint: isSecure(introspectionEndpoint) ? introspectionEndpoint : undefined,
    date: found.date,
  }
}

const documentsOf = (issuer: string): readonly URL[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  return [
    new URL(`${origin}${path}/.well-known/openid-configuration`),
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
  ]
}

const isSecure = (url: unknown): url is string => {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname.replace(/^\[|\]$/g, '')))
}

export interface IssuerAnswer {
  readonly status: number
  /** Empty where it was no JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  readonly date: number | undefined
}

/** One request to an issuer. Whatever keeps it from answering is ISSUER_UNAVAILABLE. */
export const askIssuer = async (
  issuer: string,
  url: URL,
  fetch: IssuerFetch,
  init: RequestInit = {},
): Promise<IssuerAnswer> => {
  const headers = { Accept: 'application/json', ...(init.headers as Record<string, string> | undefined) }
  try {
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    const date = Date.parse(response.headers.get('date') ?? '')
    const body = await response.text()
    return { status: response.status, body: objectIn(body), date: Number.isNaN(date) ? undefined : date }
  } catch (error) {
    throw away(issuer, messageOf(error), 'AWAY', error)
  }
}

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Why an issuer cannot be used right now, in words for operators. */
export const away = (
  issuer: string,
  why: string,
  reason: 'AWAY' | 'STATUS' | 'MISMATCH' | 'NO_KEYS',
  cause?: unknown,
): GatewayError =>
  new GatewayError('ISSUER_UNAVAILABLE', `The issuer '${issuer}' cannot be used: ${why}.`, {
    details: { issuer, reason },
    cause,
  })

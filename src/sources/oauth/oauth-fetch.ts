import type { FetchLike } from '@modelcontextprotocol/client'
import { GatewayError } from '../../errors.js'
import { createGuardedFetch, type FetchRules } from '../guarded-fetch.js'
import { isPrivateAddress } from '../private-addresses.js'

// Metadata and tokens are a few kilobytes; the largest provider's document has about ten.
const maxBytes = 256 * 1024
const timeoutMs = 15_000

/**
 * Where the sign-in of a source may ask: the hosts that the operator wrote down, and public ones. What a server on this
 * machine or network says may lead to its neighbours there; what a public one says may not (T10).
 */
export const fetchRulesFor = (server: URL, issuer: string | undefined): OAuthRules => {
  const trustedHosts = new Set([server.hostname, ...(issuer !== undefined ? [new URL(issuer).hostname] : [])])
  return {
    trustedHosts,
    isTrusted: ({ hostname }) => isLocal(server.hostname) || trustedHosts.has(hostname),
    timeoutMs,
    hint: 'If this authorization server is yours, name it as auth.issuer of the source.',
  }
}

/** By host and not by origin: a server and who signs its users in are often two ports of one machine. */
export interface OAuthRules extends FetchRules {
  readonly trustedHosts: ReadonlySet<string>
}

/** A `fetch` for one flow: bounded in bytes and time, no redirects of its own, no address inside by a document from outside. */
export const withOAuthFetch = async <T>(rules: OAuthRules, use: (fetch: FetchLike) => Promise<T>): Promise<T> => {
  const guarded = createGuardedFetch(rules)
  const fetch: FetchLike = async (input, init = {}) => {
    const url = new URL(input)
    assertSecure(url, rules)
    const answer = await guarded(url, {
      method: (init.method ?? 'GET') as 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body === undefined || init.body === null ? undefined : String(init.body),
      signal: AbortSignal.timeout(rules.timeoutMs),
      maxBytes,
    })
    return toResponse(answer.status, answer.headers, answer.body)
  }
  try {
    return await use(fetch)
  } finally {
    await guarded.close()
  }
}

/** OAuth is spoken over TLS; on this machine, and to the very host that the operator wrote with http, it need not be. */
const assertSecure = (url: URL, { trustedHosts }: OAuthRules): void => {
  if (url.protocol === 'https:') return
  if (url.protocol === 'http:' && (isLoopbackName(url.hostname) || trustedHosts.has(url.hostname))) return
  throw new GatewayError('ACCESS_DENIED', `'${url.host}' is not asked: a sign-in needs https.`, {
    details: { host: url.host },
    notSent: true,
  })
}

/** Whether a host is this machine, by its name or address. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)

const isLocal = (hostname: string): boolean => {
  const isAddress = hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname)
  return hostname === 'localhost' || (isAddress && isPrivateAddress(hostname))
}

const bodiless = new Set([204, 205, 304])

const toResponse = (
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
): Response => {
  const plain = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers: plain })
}

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { GatewayError } from '../errors.js'
import type { Caller, Right } from '../model/caller.js'
import { type EitherRight, oneOf, opens, scopeFor } from '../model/role.js'
import type { AuthRefusal, AuthResult } from './auth.js'
import type { DoorChallenge } from './challenge.js'
import { HttpError, invalidRequest } from './http-error.js'
import type { Route, RouteRight } from './route.js'

/** Who may name us, and which pages may call us; known once we are bound. */
export interface DoorRules {
  readonly hosts: HostRules
  readonly origins: OriginRules
}

// Node forgets headers past its own count without a word, also those a check depends on: we count ourselves.
const maxHeaders = 256

/**
 * What every request must pass before its path is even looked at: routes, unknown paths and upgrades alike (T1, A6). True
 * for a stranger: one that names another host than us and asks for a probe, which it may. `lookUp` finds what it is for.
 */
export const checkHeaders = (
  request: IncomingMessage,
  rules: DoorRules,
  lookUp: (request: IncomingMessage) => Route | undefined,
): boolean => {
  const { rawHeaders, headers } = request
  if (rawHeaders.length > maxHeaders * 2)
    throw new HttpError(431, 'REQUEST_INVALID', `The request has more than ${maxHeaders} headers.`)
  assertSingle(rawHeaders)
  const isStranger = !rules.hosts.accepts(headers.host)
  if (isStranger && lookUp(request)?.probe !== true) throw hostRefused()
  // A page under a foreign name is no balancer.
  if (headers.origin !== undefined && (isStranger || !rules.origins.accepts(headers.origin, headers.host!)))
    checkOpenToPages(request, isStranger, lookUp)
  const site = headers['sec-fetch-site']
  if (site !== undefined && headers.origin === undefined && !ownSites.has(site as string)) checkSite(request, lookUp)
  return isStranger
}

// By our own page, or by a person: an address typed, a bookmark.
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none'])

/**
 * Browsers send no Origin with what a page may load from anywhere (images, scripts, `no-cors`), but they say that a page of
 * elsewhere asks. It would see nothing of the answer, and yet could hold our streams and connections (S26). Somebody who
 * follows a link opens our pages, and nothing else.
 */
const checkSite = (request: IncomingMessage, lookUp: (request: IncomingMessage) => Route | undefined): void => {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers
  if (mode === 'navigate' && destination === 'document' && lookUp(request)?.page === true) return
  throw siteRefused()
}

/** What every page may read: documents that tell all the world the same. Also before it asks, with what it would ask by. */
const checkOpenToPages = (
  request: IncomingMessage,
  isStranger: boolean,
  lookUp: (request: IncomingMessage) => Route | undefined,
): void => {
  if (isStranger || lookUp(request)?.anyOrigin !== true) throw originRefused()
}

/** A second copy is dropped by Node, but may be the one a proxy in front of us has looked at. */
const assertSingle = (rawHeaders: readonly string[]): void => {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const bit = bitOf(rawHeaders[index]!)
    if ((seen & bit) !== 0) throw invalidRequest(`The request has two ${rawHeaders[index]!.toLowerCase()} headers.`)
    seen |= bit
  }
}

// By length first: nearly every header is passed over without comparing text.
const bitOf = (name: string): number => {
  if (name.length === 4) return name.toLowerCase() === 'host' ? 1 : 0
  if (name.length === 6) return name.toLowerCase() === 'origin' ? 2 : 0
  if (name.length === 13) return name.toLowerCase() === 'authorization' ? 4 : 0
  if (name.length === 9) return name.toLowerCase() === 'x-api-key' ? 8 : 0
  return 0
}

/** Compressed requests are refused: a few kilobytes could become gigabytes, and no client of ours needs them (T31). */
export const checkEncoding = (request: IncomingMessage): void => {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new HttpError(415, 'BODY_ENCODED', 'The body is compressed, which this server does not accept.', {
    hint: 'Send it without Content-Encoding.',
    headers: { 'Accept-Encoding': 'identity' },
  })
}

/** Who asks, and what may be said to them where they may not come in. */
export interface Knock {
  readonly request: IncomingMessage
  /** Default: they are told that a key is needed. */
  readonly challenge?: DoorChallenge | undefined
}

const unchallenged: Knock = { request: { headers: {} } as IncomingMessage }

/** The caller, if they have what the route asks for. */
export const checkRight = (result: AuthResult, right: RouteRight, knock = unchallenged): Caller => {
  if ('refused' in result) throw refusalOf(result.refused, knock)
  const { caller, anonymous, granted } = result
  // Who comes to a route of replicas was let in by the route itself.
  if (right === 'open' || right === 'peer' || isIn(caller, right, anonymous)) return caller
  if (anonymous || right === 'known') throw keyNeeded(right, knock)
  if (granted && knock.challenge && opens(granted, right))
    throw scopeNeeded(oneOf(right, granted), knock.request, knock.challenge)
  throw new HttpError(403, 'ACCESS_DENIED', `This needs the right "${right}", which your key does not have.`)
}

// Who has just this right is asked nothing more: that is nearly every request.
const isIn = (caller: Caller, right: Right | EitherRight | 'known', anonymous = false): boolean =>
  right === 'known' ? !anonymous : caller.rights.includes(right as Right) || opens(caller.rights, right)

const refusalCodes = {
  401: 'UNAUTHENTICATED',
  403: 'ACCESS_DENIED',
  429: 'RATE_LIMITED',
  503: 'ISSUER_UNAVAILABLE',
} as const

/** Every 401 says where a token is to be had, where there is such a place (RFC 9728 §5.1). */
const refusalOf = ({ status, code, message, headers }: AuthRefusal, { request, challenge }: Knock): HttpError => {
  const told =
    status === 401 && challenge
      ? { ...headers, 'WWW-Authenticate': challenge.unauthenticated(request, hasCredential(request)) }
      : headers
  return new HttpError(status, code ?? refusalCodes[status], message, { headers: told })
}

const hasCredential = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined

const keyNeeded = (right: RouteRight, { request, challenge }: Knock): HttpError =>
  new HttpError(
    401,
    'UNAUTHENTICATED',
    right === 'known' ? 'This needs a key.' : `This needs a key with the right "${right}".`,
    {
      hint: 'Send it as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
      headers: { 'WWW-Authenticate': challenge?.unauthenticated(request, false) ?? 'Bearer realm="pegboard"' },
    },
  )

/** Only where more scope helps: clients sign in again because of it, which would do nothing for who has no such right. */
const scopeNeeded = (right: Right, request: IncomingMessage, challenge: DoorChallenge): HttpError =>
  new HttpError(403, 'INSUFFICIENT_SCOPE', `The scope of this token does not cover the right "${right}".`, {
    hint: `Ask for the scope ${scopeFor(right)}.`,
    headers: { 'WWW-Authenticate': challenge.insufficientScope(request, right) },
  })

const hostRefused = (): HttpError =>
  new HttpError(403, 'HOST_REFUSED', 'The Host header names no host that this server answers to.', {
    hint: 'Use the address the server printed at its start, or add the name to server.trustedHosts.',
  })

const originRefused = (): HttpError =>
  new HttpError(403, 'ORIGIN_REFUSED', 'Pages of this origin may not call this server.', {
    hint: 'Add the origin to server.allowedOrigins if its pages may use your tools.',
  })

const siteRefused = (): HttpError =>
  new HttpError(403, 'ORIGIN_REFUSED', 'A page of another site asked for this, without saying which.', {
    hint: 'Ask with fetch() in its default mode from an origin in server.allowedOrigins.',
  })

export interface HostRules {
  /** Whether this Host header may name us. */
  accepts(host: string | undefined): boolean
}

export interface HostRulesOptions {
  /** The address we are bound to, as the operator wrote it. */
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
}

const hostShape = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?$/
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * A page that rebinds its own DNS name to us still sends that name as Host (T1), so only known names pass: loopback
 * with our port, the address we are bound to, and what the operator added. A trailing dot makes another name.
 *
 * Bound to all interfaces, any IP literal passes too: rebinding needs a name, such a bind has credentials anyway, and
 * behind a container's port mapping neither address nor port of the Host are ours.
 */
export const createHostRules = ({ host, port, allowedHosts }: HostRulesOptions): HostRules => {
  const wildcard = isWildcardHost(host)
  const exact = new Set(ownNames(host).flatMap((name) => withPort(name, port)))
  const anyPort = new Set<string>()
  for (const entry of allowedHosts) {
    const [lower, , entryPort] = parseEntry(entry)
    ;(entryPort === undefined ? anyPort : exact).add(lower)
  }
  return {
    accepts: (value) => {
      if (value === undefined) return false
      if (exact.has(value)) return true
      const lower = value.toLowerCase()
      const name = hostShape.exec(lower)?.[1]
      if (name === undefined) return false
      return exact.has(lower) || anyPort.has(name) || (wildcard && isLiteralOrLocal(name))
    },
  }
}

const ownNames = (host: string): string[] => [...loopbackNames, bracketed(host.toLowerCase())]

// Clients leave out the port that is their scheme's own.
const withPort = (name: string, port: number): string[] =>
  port === 80 || port === 443 ? [name, `${name}:${port}`] : [`${name}:${port}`]

const isLiteralOrLocal = (name: string): boolean =>
  isLoopbackHost(name) || isIP(name) === 4 || isIP(name.replace(/^\[|\]$/g, '')) === 6

const parseEntry = (entry: string): [string, string | undefined, string | undefined] => {
  const match = hostShape.exec(entry.toLowerCase())
  if (match) return [match[0], match[1], match[2]]
  throw new GatewayError(
    'CONFIG_INVALID',
    `"${entry}" is not a host name that can be allowed; write a name or address with an optional port, as in gw.example.com:8443, without scheme, path or wildcard.`,
  )
}

export interface OriginRules {
  /** Whether a page of this origin may call us; `host` is the request's Host header, checked before. */
  accepts(origin: string | undefined, host: string): boolean
}

export interface OriginRulesOptions {
  /** The address we are bound to, as the operator wrote it. */
  readonly host: string
  readonly allowedOrigins: readonly string[]
  /** Default: true. */
  readonly localOrigins?: boolean | undefined
}

const originShape = /^https?:\/\/((\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?)$/

/**
 * MCP asks for 403 when Origin is present and not allowed; programs send none. Allowed are what the operator listed,
 * our own pages (the origin names the same host as the checked Host header) and, only while we are bound to loopback and
 * unless `localOrigins` is off, pages of this machine on any port: local developer tools live there, and whoever serves
 * them could call us without a browser just as well; a forwarded port shows others' pages there, though (S16). `null` (sandboxed frames, files) is nobody's origin and never passes.
 */
export const createOriginRules = ({
  host: bound,
  allowedOrigins,
  localOrigins = true,
}: OriginRulesOptions): OriginRules => {
  const listed = new Set(allowedOrigins.map(normalise))
  listed.delete('null')
  const local = localOrigins && isLoopbackHost(bound)
  return {
    accepts: (origin, host) => {
      if (origin === undefined || listed.has(origin)) return true
      const match = originShape.exec(origin)
      if (!match) return false
      if (match[1] === host.toLowerCase()) return true
      return local && isLoopbackHost(match[2]!.replace(/^\[|\]$/g, ''))
    },
  }
}

const normalise = (origin: string): string => {
  const lower = origin.toLowerCase().replace(/\/$/, '')
  // As browsers write it: without the scheme's own port.
  const parsed = URL.canParse(lower) ? new URL(lower).origin : 'null'
  return parsed === 'null' ? lower : parsed
}

/** 127.0.0.0/8, `::1` and the former inside IPv6, as peers and bind addresses are written. */
export const isLoopbackAddress = (address: string | undefined): boolean => {
  if (address === undefined) return false
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4)
}

/** A host as an operator writes it that no other machine can reach. */
export const isLoopbackHost = (host: string): boolean => host.toLowerCase() === 'localhost' || isLoopbackAddress(host)

/** Bound to every interface, or, as the empty host does, to what Node takes for it. */
export const isWildcardHost = (host: string): boolean => host === '' || host === '0.0.0.0' || /^[0:]+$/.test(host)

/** As it stands in a URL or a Host header: IPv6 in brackets. */
export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

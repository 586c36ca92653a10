import type { IncomingMessage } from 'node:http'
import type { Caller } from '../model/caller.js'
import type { AuthResult } from './auth.js'
import type { HostRules } from './host-rules.js'
import { HttpError, invalidRequest } from './http-error.js'
import type { OriginRules } from './origin-rules.js'
import type { RouteRight } from './route.js'

/** Who may name us, and which pages may call us; known once we are bound. */
export interface DoorRules {
  readonly hosts: HostRules
  readonly origins: OriginRules
}

// Node forgets headers past its own count without a word, also those a check depends on: we count ourselves.
const maxHeaders = 256

/**
 * What every request must pass before its path is even looked at: routes, unknown paths and upgrades alike (T1, A6). True
 * for a stranger: one that names another host than us and asks for a probe, which it may.
 */
export const checkHeaders = (request: IncomingMessage, rules: DoorRules, isProbe: () => boolean): boolean => {
  const { rawHeaders, headers } = request
  if (rawHeaders.length > maxHeaders * 2)
    throw new HttpError(431, 'REQUEST_INVALID', `The request has more than ${maxHeaders} headers.`)
  assertSingle(rawHeaders)
  const isStranger = !rules.hosts.accepts(headers.host)
  if (isStranger && !isProbe()) throw hostRefused()
  // A page under a foreign name is no balancer.
  if (headers.origin !== undefined && (isStranger || !rules.origins.accepts(headers.origin, headers.host!)))
    throw originRefused()
  return isStranger
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

/** The caller, if they have what the route asks for. */
export const checkRight = (result: AuthResult, right: RouteRight): Caller => {
  if ('refused' in result) {
    const { status, message, headers } = result.refused
    throw new HttpError(status, refusalCodes[status], message, headers ? { headers } : {})
  }
  const { caller, anonymous } = result
  if (right === 'open' || caller.rights.includes(right)) return caller
  if (anonymous) throw keyNeeded(right)
  throw new HttpError(403, 'ACCESS_DENIED', `This needs the right "${right}", which your key does not have.`)
}

const refusalCodes = { 401: 'UNAUTHENTICATED', 403: 'ACCESS_DENIED', 429: 'RATE_LIMITED' } as const

const keyNeeded = (right: RouteRight): HttpError =>
  new HttpError(401, 'UNAUTHENTICATED', `This needs a key with the right "${right}".`, {
    hint: 'Send it as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    headers: { 'WWW-Authenticate': 'Bearer realm="pegboard"' },
  })

const hostRefused = (): HttpError =>
  new HttpError(403, 'HOST_REFUSED', 'The Host header names no host that this server answers to.', {
    hint: 'Use the address the server printed at its start, or add the name to server.trustedHosts.',
  })

const originRefused = (): HttpError =>
  new HttpError(403, 'ORIGIN_REFUSED', 'Pages of this origin may not call this server.', {
    hint: 'Add the origin to server.allowedOrigins if its pages may use your tools.',
  })

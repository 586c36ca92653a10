import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.js'
import type { Caller } from '../model/caller.js'
import { type Clock, systemClock } from '../model/clock.js'
import { isLoopbackAddress, isLoopbackHost } from './admit.js'
import type { Authenticate, AuthRefusal, AuthResult } from './auth.js'
import { type BehindProxy, clientAddressOf, plainAddress, trustedProxies } from './behind-proxy.js'
import { isProxySign } from './proxy-signs.js'
import { createWrongKeys } from './wrong-keys.js'

export interface AuthenticatorOptions {
  /** Everyone must show it, as `Authorization: Bearer` or `X-API-Key`. */
  readonly token?: string | undefined
  /** Without a token: whether callers on this machine may discover and call. If not, nobody may do anything. */
  readonly openLoopback: boolean
  /** Who holds the token. Default: `token`, with discover and call; admin has a key of its own. */
  readonly tokenCaller?: Caller | undefined
  /** Wrong keys an address may show per minute before it gets 429. Default: 10. */
  readonly wrongKeysPerMinute?: number | undefined
  /** Where the other ends of connections are known from. Default: by their own addresses, behind no proxy. */
  readonly peers?: ClientPeers | undefined
  readonly clock?: Clock | undefined
}

/** A program on this machine without a credential. It may name the account it acts for, as no key says who it is. */
export const anonymousCaller: Caller = Object.freeze({
  id: 'anonymous',
  rights: Object.freeze(['discover', 'call'] as const),
  actsForAccounts: true,
})

/** Who is at the other end of a request. The one place that decides it, for every route, upgrade and record. */
export interface ClientPeers {
  /** A program on this machine that speaks for itself. Behind a proxy nobody is. */
  isLocal(request: PeerRequest): boolean
  /** The client's address: what a trusted proxy says it is, else that of the connection. */
  addressOf(request: PeerRequest): string | undefined
  /** Whether a trusted proxy passed it on. */
  isFromProxy(request: PeerRequest): boolean
  /** Whether others between the client and us could read it: plain HTTP from another machine, as far as we or a trusted proxy know. */
  isExposed(request: PeerRequest): boolean
}

export type PeerRequest = Pick<IncomingMessage, 'headers' | 'httpVersionMinor'> & {
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean | undefined }
}

/** `behindProxy` is asked at each request, so that a changed configuration counts at once. */
export const createPeers = (behindProxy: () => BehindProxy | undefined = () => undefined): ClientPeers => {
  let read: BehindProxy | undefined
  let isTrusted = trustedProxies(read)
  const trusted = (): typeof isTrusted => {
    const now = behindProxy()
    if (now !== read) {
      read = now
      isTrusted = trustedProxies(now)
    }
    return isTrusted
  }
  // What cannot be trusted is told at the start, not to the first who comes.
  trusted()
  const isFromProxy = ({ socket }: PeerRequest): boolean => trusted()?.(socket.remoteAddress) ?? false
  return {
    isLocal: (request) =>
      trusted() === undefined && isLoopbackAddress(request.socket.remoteAddress) && !isForwarded(request),
    addressOf: (request) => {
      const { remoteAddress } = request.socket
      if (remoteAddress === undefined || !isFromProxy(request)) return remoteAddress
      return clientAddressOf(request.headers, plainAddress(remoteAddress), isTrusted!)
    },
    isFromProxy,
    isExposed: (request) => {
      if (request.socket.encrypted === true) return false
      if (!isFromProxy(request)) return !isLoopbackAddress(request.socket.remoteAddress)
      return /(?:^|,)\s*http\s*$/i.test(String(request.headers['x-forwarded-proto'] ?? ''))
    },
  }
}

/**
 * One token, or trust in this machine. Identity comes from the credential or the peer address of the connection and
 * from nothing else: no path, no query, no `X-User` (T5). Whether pages of this machine may call is Origin's question.
 */
export const createAuthenticator = (options: AuthenticatorOptions): Authenticate => {
  const { token, openLoopback, peers = createPeers(), clock = systemClock } = options
  if (token === undefined) return openLoopback ? fromLoopback(peers) : () => ({ refused: keyNeeded })
  // An empty token would let in whoever sends an empty header.
  if (token.trim() === '')
    throw new GatewayError('CONFIG_INVALID', 'The token is empty; set one with at least 16 characters, or none at all.')
  const { tokenCaller: caller = defaultTokenCaller, wrongKeysPerMinute } = options
  const expected = digest(token)
  const wrongKeys = createWrongKeys({ clock, perMinute: wrongKeysPerMinute })
  return (request) => {
    const shown = credentialOf(request)
    if (shown === undefined) return { refused: keyNeeded }
    // Hashes have one length and no structure, so the time to compare says nothing about the token.
    if (timingSafeEqual(digest(shown), expected)) return { caller }
    return { refused: wrongKey(wrongKeys.count(peers.addressOf(request))) }
  }
}

/** Refuses a bind that other machines can reach while nothing asks them who they are (A4). */
export const assertBindAllowed = ({ host, hasCredential }: { host: string; hasCredential: boolean }): void => {
  if (hasCredential || isLoopbackHost(host)) return
  throw new GatewayError(
    'CONFIG_INVALID',
    `Refusing to listen on ${host || 'all addresses'}: other machines could call every tool without a key; set --token or create a key first, or use --host 127.0.0.1.`,
    { details: { reason: 'OPEN_BIND', host } },
  )
}

/** What the client shows, wherever it may show it. Never the query: addresses end up in logs and histories. */
export const credentialOf = ({ headers }: IncomingMessage): string | undefined => {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  const key = headers['x-api-key']
  return bearer ?? (typeof key === 'string' && key !== '' ? key : undefined)
}

const defaultTokenCaller: Caller = Object.freeze({
  id: 'token',
  rights: Object.freeze(['discover', 'call'] as const),
})

// As hexadecimal text: Node makes that five times as fast as a Buffer of bytes.
const digest = (text: string): Buffer => Buffer.from(hash('sha256', text), 'latin1')

const anonymous: AuthResult = { caller: anonymousCaller, anonymous: true }

const fromLoopback =
  (peers: ClientPeers): Authenticate =>
  (request) => {
    if (peers.isLocal(request)) return anonymous
    return { refused: isLoopbackAddress(request.socket.remoteAddress) ? forwarded : notLocal }
  }

/**
 * Whether something tells that a proxy on this machine speaks for others (S12, A5). HTTP/1.0 is what nginx speaks to whom
 * it passes requests on, and no client of today.
 */
const isForwarded = ({ headers, httpVersionMinor }: PeerRequest): boolean => {
  if (httpVersionMinor === 0) return true
  for (const name in headers) if (verdicts.get(name) ?? judge(name)) return true
  return false
}

// Names come again and again, and their judgement costs more than a look-up. Strangers' inventions are not kept.
const verdicts = new Map<string, boolean>()
const mostVerdicts = 512

const judge = (name: string): boolean => {
  const verdict = isProxySign(name)
  if (verdicts.size < mostVerdicts) verdicts.set(name, verdict)
  return verdict
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="pegboard"' }

const keyNeeded: AuthRefusal = {
  status: 401,
  message: 'A key is needed; send it as "Authorization: Bearer <key>" or "X-API-Key: <key>", never in the URL.',
  headers: challenge,
}
const notLocal: AuthRefusal = {
  status: 401,
  message: 'Without a key only programs on the same machine may call; set --token on the server and send it.',
  headers: challenge,
}
const forwarded: AuthRefusal = {
  status: 401,
  message:
    'The request came through a proxy, so its sender is unknown; a key is needed, and server.behindProxy should name the proxy.',
  headers: challenge,
}

const wrongKey = (waitMs: number): AuthRefusal =>
  waitMs === 0
    ? { status: 401, message: 'The key is not valid; check it for missing characters.', headers: challenge }
    : {
        status: 429,
        message: 'Too many wrong keys came from this address; wait a little, then send the right one.',
        headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      }

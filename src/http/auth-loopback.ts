import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.js'
import type { Caller } from '../model/caller.js'
import { type Clock, systemClock } from '../model/clock.js'
import { isLoopbackAddress, isLoopbackHost } from './admit.js'
import type { Authenticate, AuthRefusal, AuthResult } from './auth.js'
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
  readonly clock?: Clock | undefined
}

/** A program on this machine without a credential. */
export const anonymousCaller: Caller = Object.freeze({
  id: 'anonymous',
  rights: Object.freeze(['discover', 'call'] as const),
})

/**
 * One token, or trust in this machine. Identity comes from the credential or the peer address of the connection and
 * from nothing else: no path, no query, no `X-User` (T5). Whether pages of this machine may call is Origin's question.
 */
export const createAuthenticator = (options: AuthenticatorOptions): Authenticate => {
  const { token, openLoopback, clock = systemClock } = options
  if (token === undefined) return openLoopback ? fromLoopback : () => ({ refused: keyNeeded })
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
    return { refused: wrongKey(wrongKeys.count(request.socket.remoteAddress)) }
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

const fromLoopback: Authenticate = (request) => {
  if (!isLoopbackAddress(request.socket.remoteAddress)) return { refused: notLocal }
  return isForwarded(request) ? { refused: forwarded } : anonymous
}

/** A proxy on this machine speaks for others, and only its headers tell (A5). */
const isForwarded = ({ headers }: IncomingMessage): boolean => {
  for (const name in headers) if (name.startsWith('x-forwarded-') || proxyHeaders.has(name)) return true
  return false
}

const proxyHeaders = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'])

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
  message: 'The request came through a proxy, so its sender is unknown; set --token on the server and send it.',
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

import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.js'
import type { Authenticate, AuthRefusal, AuthResult } from '../http/auth.js'
import { type ClientPeers, createAuthenticator, createPeers, credentialOf } from '../http/auth-loopback.js'
import { createWrongKeys, type WrongKeys } from '../http/wrong-keys.js'
import type { Caller, Right } from '../model/caller.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { Bearers } from './bearer.js'
import { type KeyCheck, keyMissing } from './key-check.js'
import type { Keys } from './keys.js'
import { hashOf } from './new-key.js'

export interface KeyAuthenticatorOptions {
  readonly keys: Keys
  /** One more credential beside the keys, with the rights to discover and call. Where it is set, everybody must show one. */
  readonly token?: string | undefined
  /** Whether everybody must show a key; asked at each request, so that a changed configuration counts at once. */
  readonly required: () => boolean
  /** The key of callers on this machine who show none (`auth.apiKey`). What they show themselves goes first. */
  readonly fallbackKey?: string | undefined
  /** Who a client is by its certificate, where it shows no key. */
  readonly certificate?: ((request: IncomingMessage) => Caller | undefined) | undefined
  /**
   * Tokens that count beside keys; the list may grow. Where it is given, whoever shows anything is judged by it, also on this
   * machine. Default: no tokens count, and one that was meant for another server is overlooked where nobody needs a key.
   */
  readonly bearers?: readonly Bearers[] | undefined
  /** The endpoint that a request is for, as tokens name it; undefined where there is no public address. */
  readonly endpointOf?: ((request: IncomingMessage) => string | undefined) | undefined
  /** Who comes by a cookie of the console; undefined for whatever the cookie does not count for. */
  readonly cookie?: ((request: IncomingMessage) => AuthResult | Promise<AuthResult> | undefined) | undefined
  /** Told of a key for administration that was shown over plain HTTP from another machine (A15). */
  readonly onExposed?: ((caller: Caller) => void) | undefined
  /** Where the other ends of connections are known from. Default: by their own addresses, behind no proxy. */
  readonly peers?: ClientPeers | undefined
  /** Where wrong keys are counted, which other doors may share. Default: ours alone, with `wrongKeysPerMinute`. */
  readonly wrongKeys?: WrongKeys | undefined
  /** Wrong keys an address may show per minute before it gets 429. Default: 10. */
  readonly wrongKeysPerMinute?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * Who asks over HTTP: by key or token where one is shown, else whoever is on this machine, as far as that is enough.
 * Identity comes from nothing else (T5).
 */
export const createKeyAuthenticator = (options: KeyAuthenticatorOptions): Authenticate => {
  const { keys, token, required, fallbackKey, peers = createPeers(), wrongKeysPerMinute, clock = systemClock } = options
  // An empty token would let in whoever sends an empty header.
  if (token?.trim() === '')
    throw new GatewayError('CONFIG_INVALID', 'The token is empty; set one with at least 16 characters, or none at all.')
  const expected = token === undefined ? undefined : Buffer.from(hashOf(token))
  const isToken = (shown: string): boolean =>
    expected !== undefined && timingSafeEqual(Buffer.from(hashOf(shown)), expected)
  const wrongKeys = options.wrongKeys ?? createWrongKeys({ clock, perMinute: wrongKeysPerMinute })
  const fromLoopback = createAuthenticator({ openLoopback: true, peers }) as (request: IncomingMessage) => AuthResult
  const isLocked = (): boolean => expected !== undefined || required()

  const withCredential = (request: IncomingMessage, shown: string): AuthResult | Promise<AuthResult> => {
    if (isToken(shown)) return { caller: tokenCaller }
    const bearer = options.bearers?.find((each) => each.recognises(shown))
    const endpoint = bearer && options.endpointOf?.(request)
    if (bearer && endpoint !== undefined) {
      const result = bearer.verify(shown, endpoint)
      return 'then' in result ? result.then((late) => counted(request, late)) : counted(request, result)
    }
    const check = keys.verifyFresh(shown)
    return 'then' in check ? check.then((late) => judge(request, shown, late)) : judge(request, shown, check)
  }
  /** A token that is no good is a guess like a key that is none; one whose time is over is not. */
  const counted = (request: IncomingMessage, result: AuthResult): AuthResult => {
    if (!('refused' in result) || result.refused.status !== 401 || result.refused.isExpired) return result
    const waitMs = wrongKeys.count(peers.addressOf(request))
    return waitMs === 0 ? result : { refused: refusal('', waitMs) }
  }
  const judge = (request: IncomingMessage, shown: string, check: KeyCheck): AuthResult => {
    if (check.ok) return check.caller.rights.includes('admin') ? administrator(request, check.caller) : check
    // Where nobody needs a key, a bearer that was meant for another server is no attempt at ours.
    if (!isLocked() && !options.bearers && !shown.startsWith('rtk_')) return fromLoopback(request)
    return { refused: refusal(check.message, wrongKeys.count(peers.addressOf(request))) }
  }
  const administrator = (request: IncomingMessage, caller: Caller): AuthResult => {
    if (!peers.isExposed(request)) return { caller }
    options.onExposed?.(caller)
    return { caller, warning: 'the admin key came over plain HTTP; use HTTPS, and make another key' }
  }
  const withoutCredential = (request: IncomingMessage): AuthResult | Promise<AuthResult> => {
    const browser = request.headers.cookie === undefined ? undefined : options.cookie?.(request)
    if (browser) return browser
    const holder = options.certificate?.(request)
    if (holder) return { caller: holder }
    const local = fromLoopback(request)
    if (fallbackKey !== undefined && 'caller' in local) return lend(keys, fallbackKey)
    if (isLocked()) return { refused: refusal(messageOf(keyMissing), 0) }
    return local
  }
  return (request) => {
    const shown = credentialOf(request)
    return shown === undefined ? withoutCredential(request) : withCredential(request, shown)
  }
}

// Whoever shows nothing never administers, whatever key stands in for them (T2).
const lend = (keys: Keys, key: string): AuthResult => {
  const check = keys.verify(key)
  if (!check.ok) return { refused: refusal(`${check.message} (the server's own auth.apiKey)`, 0) }
  const rights = check.caller.rights.filter((right) => lendable.has(right))
  return { caller: { ...check.caller, rights, actsForAccounts: true }, anonymous: true }
}

const lendable: ReadonlySet<Right> = new Set(['discover', 'call:readonly', 'call', 'register'])

const tokenCaller: Caller = Object.freeze({ id: 'token', rights: Object.freeze(['discover', 'call'] as const) })

const messageOf = (check: KeyCheck): string => (check.ok ? '' : check.message)

const refusal = (message: string, waitMs: number): AuthRefusal =>
  waitMs === 0
    ? { status: 401, message, headers: { 'WWW-Authenticate': 'Bearer realm="pegboard"' } }
    : {
        status: 429,
        message: 'Too many wrong keys came from this address; wait a little, then send the right one.',
        headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      }

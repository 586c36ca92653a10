import { hash, timingSafeEqual } from 'node:crypto'
import { localCaller } from '../../model/caller.js'
import { narrowed, type TokenScope, tokenScopes } from '../../model/role.js'
import { type Actor, type Note, systemActor } from '../../telemetry/deed.js'
import type { SignInSession, SignInSessions } from '../sessions.js'
import { once, scopeOf } from './asked.js'
import type { Assertions } from './assertion.js'
import type { Addresses } from './endpoints.js'
import { OAuthRefusal } from './refusal.js'
import { isClientOf, type SealedTokens } from './tokens.js'

export interface TokenParts {
  readonly tokens: SealedTokens
  readonly sessions: SignInSessions
  readonly addresses: () => Addresses
  readonly lasts: () => { readonly accessMinutes: number; readonly days: number }
  /** Grants of the identity provider for clients that it manages (ID-JAG); undefined where there is no provider. */
  readonly assertions?: Assertions | undefined
  readonly note: Note
  readonly now: () => number
}

/** What `/token` gives (RFC 6749 §5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token?: string | undefined
  readonly scope: string
}

export type TradeTokens = (form: URLSearchParams) => Promise<TokenAnswer>

const dayMs = 24 * 60 * 60_000
/**
 * Processes that share a sign-in may renew it at the same moment, and answers get lost: for so long the refresh token before
 * gives what the one after it would.
 */
const graceMs = 30_000

/** Trades codes and refresh tokens for tokens. */
export const createTrade = (parts: TokenParts): TradeTokens => {
  const { tokens, sessions, addresses, lasts, assertions, note, now } = parts

  const give = (session: SignInSession, scope: string): TokenAnswer => {
    const { id, client, resource, generation, endsAt } = session
    const until = Math.min(now() + lasts().accessMinutes * 60_000, endsAt)
    const key = client!.id
    return {
      access_token: tokens.access({ session: id, client: key, resource: resource!, scope, until }),
      token_type: 'Bearer',
      expires_in: Math.max(1, Math.floor((until - now()) / 1000)),
      // Whether or not `offline_access` was asked for: some clients never do.
      refresh_token: tokens.refresh({ session: id, client: key, generation }),
      scope,
    }
  }
  /** Somebody has what only one may have: whoever it is, the session is over. */
  const endReused = async (id: string, what: 'code' | 'refresh-token'): Promise<never> => {
    const session = await sessions.findFresh(id)
    if (await sessions.end(id, 'reuse'))
      note({
        ...{ kind: 'sign-out', action: 'reuse', outcome: 'refused', severity: 'high', actor: systemActor },
        on: { type: 'session', id },
        before: session && actorOfSession(session).id,
        after: what,
      })
    throw invalidGrant('It was used before. The sign-in is over; sign in again.')
  }

  const byCode = async (form: URLSearchParams): Promise<TokenAnswer> => {
    const content = tokens.openCode(once(form, 'code') ?? '')
    if (!content || !isClientOf(content, once(form, 'client_id'))) throw invalidGrant('This code is not good.')
    const session = await sessions.findFresh(content.session)
    if (session && session.generation > 0) await endReused(session.id, 'code')
    const redirect = once(form, 'redirect_uri')
    if (content.until <= now() || !session) throw invalidGrant('This code is over. Begin again.')
    if (redirect !== undefined && redirect !== content.redirect)
      throw invalidGrant('redirect_uri is not the one that the code was sent to.')
    checkResource(form, content.resource, addresses())
    if (!isVerified(once(form, 'code_verifier'), content.challenge)) throw invalidGrant('code_verifier does not fit.')
    const endsAt = session.createdAt + lasts().days * dayMs
    const traded = await sessions.update(content.session, (there) =>
      there.generation === 0 ? { ...there, generation: 1, renewedAt: now(), endsAt } : undefined,
    )
    return traded ? give(traded, content.scope) : endReused(content.session, 'code')
  }

  const byRefresh = async (form: URLSearchParams): Promise<TokenAnswer> => {
    const content = tokens.openRefresh(once(form, 'refresh_token') ?? '')
    if (!content || !isClientOf(content, once(form, 'client_id'))) throw invalidGrant('This refresh token is not good.')
    const { session: id, generation } = content
    const session = await sessions.findFresh(id)
    if (!session || session.endsAt <= now()) throw invalidGrant('The sign-in is over. Sign in again.')
    checkResource(form, session.resource!, addresses())
    const scope = narrowedScope(session.scope!, once(form, 'scope'))
    let isReused = false
    const renewed = await sessions.update(id, (there) => {
      const next = renewal(there, generation, now())
      isReused = next === undefined
      return next
    })
    if (renewed) return give(renewed, scope)
    if (isReused) return endReused(id, 'refresh-token')
    throw invalidGrant('The sign-in is over. Sign in again.')
  }

  return (form) => {
    for (const name of new Set(form.keys()))
      if (form.getAll(name).length > 1) throw new OAuthRefusal('invalid_request', 'A parameter was given twice.')
    const grant = once(form, 'grant_type')
    if (grant === 'authorization_code') return byCode(form)
    if (grant === 'refresh_token') return byRefresh(form)
    if (grant === jwtBearer && assertions) return assertions(form)
    throw new OAuthRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  }
}

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * The session after this refresh token was shown, or undefined where that proves that two have it. The one before the last
 * works once more: within the grace it gives the same generation, later it makes the lost one void, so that whoever shows
 * that one after all is the second.
 */
export const renewal = (session: SignInSession, shown: number, now: number): SignInSession | undefined => {
  const { generation, renewedAt = 0, shownAgain = false } = session
  if (shown === generation && generation > 0)
    return { ...session, generation: generation + 1, renewedAt: now, shownAgain: false, lastUsedAt: now }
  if (shown !== generation - 1 || shown < 1 || shownAgain) return undefined
  return now - renewedAt <= graceMs
    ? { ...session, shownAgain: true, lastUsedAt: now }
    : { ...session, generation: generation + 2, renewedAt: now, shownAgain: false, lastUsedAt: now }
}

const isVerified = (verifier: string | undefined, challenge: string): boolean => {
  if (verifier === undefined || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const made = Buffer.from(hash('sha256', verifier, 'base64url'))
  const given = Buffer.from(challenge)
  return made.length === given.length && timingSafeEqual(made, given)
}

const checkResource = (form: URLSearchParams, resource: string, addresses: Addresses): void => {
  const asked = once(form, 'resource')
  if (asked !== undefined && addresses.endpointOf(asked)?.resource !== resource)
    throw new OAuthRefusal('invalid_target', 'resource is not the endpoint that was agreed to.')
}

/** Less than before will do, more will not: nobody was asked for that. */
const narrowedScope = (held: string, asked: string | undefined): string => {
  if (asked === undefined) return held
  const wanted = scopeOf(asked).split(' ')
  const had = new Set(held.split(' '))
  const rights = narrowed(allRights, [...had])
  const isWithin = (scope: string): boolean =>
    had.has(scope) || (isTokenScope(scope) && narrowed(allRights, [scope]).every((right) => rights.includes(right)))
  if (wanted.every(isWithin)) return wanted.join(' ')
  throw new OAuthRefusal('invalid_scope', 'More scope than was agreed to; begin a new sign-in for it.')
}

const allRights = [...localCaller.rights, 'call:readonly'] as const

const isTokenScope = (scope: string): scope is TokenScope => (tokenScopes as readonly string[]).includes(scope)

const invalidGrant = (message: string): OAuthRefusal => new OAuthRefusal('invalid_grant', message)

/** Whoever a session is of, as the one who did something. */
export const actorOfSession = ({ identity, keyId, client }: SignInSession): Actor => ({
  id: identity?.id ?? (keyId === undefined ? 'anonymous' : `key:${keyId}`),
  type: identity ? 'person' : 'key',
  name: identity?.name ?? identity?.email,
  via: 'token',
  client: client?.id,
})

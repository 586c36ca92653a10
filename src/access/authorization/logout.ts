import { isRecord } from '../../model/json.js'
import { type Note, systemActor } from '../../telemetry/deed.js'
import { identityId, providerSessionId } from '../identity.js'
import type { SignInSession, SignInSessions } from '../sessions.js'
import { once } from './asked.js'
import { type ProviderClaims, type ProviderTokenParts, readByProvider, spendOnce, spentId } from './provider-token.js'
import { OAuthRefusal } from './refusal.js'

export interface ProviderLogoutParts extends ProviderTokenParts {
  /** Our id at the provider: whom its words must be for. */
  readonly clientId: string
  readonly sessions: Pick<SignInSessions, 'list' | 'end'>
  readonly note: Note
}

/** Takes the identity provider's word that somebody signed out there, or may no longer come. */
export type ProviderLogout = (form: URLSearchParams) => Promise<void>

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** However long it says that it counts: who sends it late says nothing new. */
const longestAgeMs = 10 * 60_000
const longestText = 2048
const types = new Set(['logout+jwt', 'jwt', undefined])

/**
 * OpenID Connect Back-Channel Logout 1.0: ends the sessions that began with this sign-in at the provider, or all of the
 * person's where it names none. Somebody whom nobody knows is signed out already.
 */
export const createProviderLogout = (parts: ProviderLogoutParts): ProviderLogout => {
  const { sessions, issuer, used, note } = parts
  return async (form) => {
    const claims = await verified(parts, once(form, 'logout_token'))
    const id = spentId('logout', parts, claims)
    if (!(await spendOnce(parts, id, Number(claims.iat) * 1000 + longestAgeMs)))
      throw invalid('The logout token was used before.')
    try {
      const over = sessions.list().filter((session) => isMeant(session, issuer, claims))
      const ended = await Promise.all(over.map((each) => sessions.end(each.id, 'provider')))
      const people = new Set(over.flatMap(({ identity }, index) => (ended[index] && identity ? [identity.id] : [])))
      for (const person of people)
        note({
          ...{ kind: 'sign-out', action: 'provider', actor: systemActor, outcome: 'ok' },
          on: { type: 'person', id: person },
        })
    } catch (error) {
      // The provider may say it again.
      await used.delete(id).catch(() => false)
      throw error
    }
  }
}

const verified = async (parts: ProviderLogoutParts, text: string | undefined): Promise<ProviderClaims> => {
  const read = await readByProvider(parts, text, { audience: parts.clientId, requiredClaims: ['iat', 'jti', 'events'] })
  if (!read || !types.has(read.typ?.toLowerCase())) throw invalid('logout_token is missing, or not good here.')
  const { claims } = read
  const { events, sub, sid } = claims
  // An ID token is none, whoever shows it: it has a nonce, and no event.
  if ('nonce' in claims || !isRecord(events) || !isRecord(events[logoutEvent]))
    throw invalid('This is no logout token.')
  if (![sub, sid].every(isTextOrNone) || (sub === undefined && sid === undefined))
    throw invalid('The logout token says neither who (sub) nor which sign-in (sid) is meant.')
  if (parts.clock.wall() - Number(claims.iat) * 1000 > longestAgeMs) throw invalid('The logout token is too old.')
  return claims
}

/** Sessions that were begun with a key are the key's; of those whose sign-in is not known, each may be the one. */
const isMeant = (
  { identity, keyId, providerSession }: SignInSession,
  issuer: string,
  { sub, sid }: ProviderClaims,
): boolean => {
  if (identity?.issuer !== issuer || keyId !== undefined) return false
  if (sub !== undefined && identity.id !== identityId(issuer, sub as string)) return false
  if (sid === undefined) return true
  return providerSession === undefined ? sub !== undefined : providerSession === providerSessionId(sid as string)
}

const isTextOrNone = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value !== '' && value.length <= longestText)

const invalid = (message: string): OAuthRefusal => new OAuthRefusal('invalid_request', message)

import { isGatewayError } from '../../errors.js'
import type { Identity } from '../../model/caller.js'
import type { Note } from '../../telemetry/deed.js'
import { type ClaimRules, identityFrom } from '../claims.js'
import { type GrantRow, grantOf } from '../grants.js'
import type { People } from '../people.js'
import type { SignInSessions } from '../sessions.js'
import { once, scopeOf } from './asked.js'
import { clientKeyOf, type OAuthClient } from './client.js'
import type { Addresses } from './endpoints.js'
import { type ProviderClaims, type ProviderTokenParts, readByProvider, spendOnce, spentId } from './provider-token.js'
import { OAuthRefusal } from './refusal.js'
import type { TokenAnswer } from './token.js'
import type { SealedTokens } from './tokens.js'

export interface AssertionParts extends ProviderTokenParts {
  readonly claims: ClaimRules
  readonly addresses: () => Addresses
  readonly find: (id: string) => Promise<OAuthClient>
  readonly grants: () => readonly GrantRow[]
  readonly sessions: SignInSessions
  readonly people: Pick<People, 'seen' | 'isEnded'>
  readonly tokens: SealedTokens
  readonly accessMinutes: () => number
  readonly note: Note
}

/** Trades a grant of the identity provider (ID-JAG) for a token of ours. */
export type Assertions = (form: URLSearchParams) => Promise<TokenAnswer>

/** However long an assertion says that it lives. */
const longestLifeMs = 10 * 60_000

/**
 * The team's identity provider says that this person may use this client here (draft-ietf-oauth-identity-assertion-authz-grant):
 * nobody is asked, since an administrator has said yes for all. It counts once, for the client and the endpoint it names;
 * who wants another token brings another assertion.
 */
export const createAssertions = (parts: AssertionParts): Assertions => {
  const { addresses, find, grants, sessions, people, tokens, note, now } = parts
  return async (form) => {
    const clientId = once(form, 'client_id')
    const claims = await verified(parts, once(form, 'assertion'))
    if (clientId === undefined || claims.client_id !== clientId)
      throw invalid('client_id is not that of the assertion.')
    const client = await find(clientId)
    const endpoint = typeof claims.resource === 'string' ? addresses().endpointOf(claims.resource) : undefined
    const asked = once(form, 'resource')
    if (!endpoint || (asked !== undefined && addresses().endpointOf(asked)?.resource !== endpoint.resource))
      throw new OAuthRefusal('invalid_target', 'The assertion is not for an endpoint of this server.')
    const identity = identityIn(claims, parts.claims)
    const granted = grantOf(grants(), { identity, kind: 'person' })
    const { profile } = endpoint
    const sees = profile === undefined || granted?.profiles.some((each) => each === '*' || each === profile)
    const actor = { id: identity.id, type: 'person', name: identity.name ?? identity.email, via: 'id-jag' } as const
    const facts = { actor: { ...actor, client: client.key }, on: { type: 'client', id: client.key }, profile }
    if (!granted || !sees || people.isEnded(identity.id, Number(claims.iat) * 1000)) {
      note({ kind: 'refusal', action: 'sign-in', ...facts, outcome: 'refused', code: 'ACCESS_DENIED' })
      throw new OAuthRefusal('access_denied', 'This person has no access here.', 403)
    }
    if (!(await spendOnce(parts, spentId('assertion', parts, claims), Number(claims.exp) * 1000)))
      throw invalid('The assertion was used before.')
    people.seen(identity)
    const until = now() + parts.accessMinutes() * 60_000
    const scope = scopeOf([claims.scope, once(form, 'scope')].find((each): each is string => typeof each === 'string'))
    const session = await sessions.begin({
      ...{ kind: 'client', identity, resource: endpoint.resource, scope, endsAt: until },
      client: { id: clientKeyOf(clientId), name: client.name },
    })
    // It has no code, and no refresh token, that anybody could show.
    await sessions.update(session.id, (there) => ({ ...there, generation: 1 }))
    note({ kind: 'sign-in', action: 'begin', ...facts, outcome: 'ok' })
    return {
      access_token: tokens.access({
        ...{ session: session.id, client: client.key, resource: endpoint.resource, scope, until },
      }),
      token_type: 'Bearer',
      expires_in: Math.floor((until - now()) / 1000),
      scope,
    }
  }
}

const verified = async (parts: AssertionParts, assertion: string | undefined): Promise<ProviderClaims> => {
  const read = await readByProvider(parts, assertion, {
    audience: parts.addresses().issuer,
    typ: 'oauth-id-jag+jwt',
    requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'resource'],
  })
  if (!read) throw invalid('The assertion is missing, or not good here.')
  const { exp, iat } = read.claims
  const life = (Number(exp) - Number(iat)) * 1000
  if (!(life > 0 && life <= longestLifeMs)) throw invalid('The assertion lives too long, or begins too late.')
  return read.claims
}

const identityIn = (claims: ProviderClaims, rules: ClaimRules): Identity => {
  try {
    return identityFrom(claims, rules)
  } catch (error) {
    if (isGatewayError(error)) throw invalid(error.message)
    throw error
  }
}

const invalid = (message: string): OAuthRefusal => new OAuthRefusal('invalid_grant', message)

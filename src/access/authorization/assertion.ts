import { isGatewayError } from '../../errors.js'
import type { Identity } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import type { DocumentSet } from '../../storage/store.js'
import type { Note } from '../../telemetry/deed.js'
import { type ClaimRules, identityFrom } from '../claims.js'
import { type GrantRow, grantOf } from '../grants.js'
import type { People } from '../people.js'
import type { SignInSessions } from '../sessions.js'
import type { IssuerKeys } from '../tokens/issuer-keys.js'
import { once, scopeOf } from './asked.js'
import { clientKeyOf, type OAuthClient } from './client.js'
import type { Addresses } from './endpoints.js'
import { OAuthRefusal } from './refusal.js'
import type { TokenAnswer } from './token.js'
import type { SealedTokens } from './tokens.js'

export interface AssertionParts {
  readonly issuer: string
  readonly keys: Pick<IssuerKeys, 'get' | 'newerThan'>
  readonly claims: ClaimRules
  readonly addresses: () => Addresses
  readonly find: (id: string) => Promise<OAuthClient>
  readonly grants: () => readonly GrantRow[]
  readonly sessions: SignInSessions
  readonly people: Pick<People, 'seen' | 'isEnded'>
  readonly tokens: SealedTokens
  /** Which assertions were used; all processes share it. */
  readonly used: Pick<DocumentSet, 'addUnless' | 'all' | 'delete'>
  readonly accessMinutes: () => number
  readonly note: Note
  readonly clock: Clock
  readonly now: () => number
}

/** Trades a grant of the identity provider (ID-JAG) for a token of ours. */
export type Assertions = (form: URLSearchParams) => Promise<TokenAnswer>

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const longest = 16_384
/** However long an assertion says that it lives. */
const longestLifeMs = 10 * 60_000
const skewMs = 60_000
const mostUsed = 10_000

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
    await spend(parts, claims)
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

type Claims = Readonly<Record<string, unknown>>

const verified = async (parts: AssertionParts, assertion: string | undefined): Promise<Claims> => {
  if (assertion === undefined || assertion.length > longest || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(assertion))
    throw invalid('assertion is missing, or is no signed token.')
  const { jwtVerify, errors } = await import('jose')
  const options = {
    issuer: parts.issuer,
    audience: parts.addresses().issuer,
    typ: 'oauth-id-jag+jwt',
    algorithms,
    requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'resource'],
    clockTolerance: skewMs / 1000,
    currentDate: new Date(parts.clock.wall()),
  }
  const by = async (find: Parameters<typeof jwtVerify>[1]) =>
    (await jwtVerify(assertion, find as never, options)).payload
  try {
    const keys = await parts.keys.get()
    const claims = await by(keys.find as never).catch(async (error: unknown) => {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await parts.keys.newerThan(keys) : undefined
      if (!newer) throw error
      return by(newer.find as never)
    })
    const life = (Number(claims.exp) - Number(claims.iat)) * 1000
    const isAhead = Number(claims.iat) * 1000 > parts.clock.wall() + skewMs
    if (!(life > 0 && life <= longestLifeMs) || isAhead || typeof claims.jti !== 'string' || claims.jti.length > 512)
      throw invalid('The assertion lives too long, or begins too late.')
    return claims
  } catch (error) {
    if (isGatewayError(error))
      throw new OAuthRefusal(
        'temporarily_unavailable',
        'The identity provider cannot be asked for its keys. Try again.',
        503,
      )
    if (error instanceof errors.JOSEError) throw invalid('The assertion is not good here.')
    throw error
  }
}

const identityIn = (claims: Claims, rules: ClaimRules): Identity => {
  try {
    return identityFrom(claims, rules)
  } catch (error) {
    if (isGatewayError(error)) throw invalid(error.message)
    throw error
  }
}

/** Once, over all processes; what is over is forgotten. */
const spend = async ({ used, issuer, now }: AssertionParts, claims: Claims): Promise<void> => {
  const { hash } = await import('node:crypto')
  const id = hash('sha256', `${issuer} ${claims.jti}`, 'base64url')
  const until = Number(claims.exp) * 1000 + skewMs
  const over: string[] = []
  const isNew = await used.addUnless(id, { until }, (there) => {
    over.length = 0
    for (const each of there) if (isRecord(each.value) && Number(each.value.until) < now()) over.push(each.id)
    return there.some((each) => each.id === id) || there.length - over.length >= mostUsed
  })
  if (!isNew) throw invalid('The assertion was used before.')
  await Promise.all(over.map((each) => used.delete(each).catch(() => false)))
}

const invalid = (message: string): OAuthRefusal => new OAuthRefusal('invalid_grant', message)

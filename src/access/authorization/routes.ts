import { sendJson } from '../../http/answer.js'
import { credentialOf } from '../../http/auth-loopback.js'
import { notFound } from '../../http/http-error.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { Clock } from '../../model/clock.js'
import type { Note } from '../../telemetry/deed.js'
import type { SignInSessions } from '../sessions.js'
import { once } from './asked.js'
import { type Authorize, providerCallback } from './authorize.js'
import type { OwnBearers } from './bearers.js'
import { createCeiling } from './ceiling.js'
import type { Addresses } from './endpoints.js'
import { readForm, readJson } from './fields.js'
import type { ProviderLogout } from './logout.js'
import { authorizationMetadata, discoveryMetadata, type MetadataFacts } from './metadata.js'
import { isOAuthRefusal, OAuthRefusal } from './refusal.js'
import type { Registrations } from './registrations.js'
import { actorOfSession, type TradeTokens } from './token.js'
import { isClientOf, type SealedTokens } from './tokens.js'

export interface AuthorizationRoutesParts {
  readonly addresses: () => Addresses
  /** Where MCP is served, below our address. */
  readonly path: string
  readonly facts: () => MetadataFacts
  readonly authorize: Authorize
  readonly registrations: Registrations
  readonly trade: TradeTokens
  /** Undefined where there is no provider whose word would count. */
  readonly logout?: ProviderLogout | undefined
  readonly tokens: SealedTokens
  readonly sessions: SignInSessions
  readonly bearers: OwnBearers
  readonly note: Note
  readonly clock: Clock
}

const registrationsPerMinute = 600
const tradesPerMinute = 6000
const logoutsPerMinute = 600
/** Where the identity provider says that somebody signed out there. */
export const providerLogoutPath = '/backchannel-logout'
const serverName = '/.well-known/oauth-authorization-server'
const discoveryName = '/.well-known/openid-configuration'

/** Every route of the authorization server. All are open: what lets anybody on is in the request. */
export const authorizationRoutes = (parts: AuthorizationRoutesParts): readonly Route[] => {
  const { authorize, registrations, trade, logout, facts, clock } = parts
  const mayRegister = createCeiling(registrationsPerMinute, clock)
  const mayLogOut = createCeiling(logoutsPerMinute, clock)
  const mayTrade = createCeiling(tradesPerMinute, clock)
  const page = { right: 'open', page: true, ownHeaders: true } as const
  const program = { right: 'open', anyOrigin: true, ownHeaders: true } as const
  return [
    ...metadataRoutes(parts),
    { ...page, method: 'GET', path: '/authorize', handle: authorize.ask },
    { ...page, method: 'POST', path: '/authorize', handle: authorize.answer },
    { ...page, method: 'GET', path: providerCallback, handle: authorize.comeBack },
    {
      ...{ ...program, method: 'POST', path: '/register' },
      handle: told(async (exchange) => {
        if (!facts().registers) throw notFound('Clients cannot register themselves here.')
        within(mayRegister)
        return [201, registrations.register(await readJson(exchange), clock.wall())]
      }),
    },
    {
      ...{ ...program, method: 'POST', path: '/token' },
      handle: told(async (exchange) => {
        within(mayTrade)
        return [200, await trade(await readForm(exchange))]
      }),
    },
    {
      ...{ ...program, method: 'POST', path: '/revoke' },
      handle: told(async (exchange) => {
        within(mayTrade)
        await revoke(parts, await readForm(exchange))
        return [200, {}]
      }),
    },
    ...(logout === undefined
      ? []
      : [
          {
            // From the provider's own machines: no page of anybody's has to ask.
            ...({ right: 'open', ownHeaders: true, method: 'POST', path: providerLogoutPath } as const),
            handle: told(async (exchange) => {
              within(mayLogOut)
              await logout(await readForm(exchange))
              return [200, {}]
            }),
          },
        ]),
    {
      ...{ ...program, method: 'GET', path: '/userinfo' },
      handle: told(async ({ request }) => {
        within(mayTrade)
        return [200, aboutThem(parts.bearers, credentialOf(request))]
      }),
    },
  ]
}

const within = (may: () => boolean): void => {
  if (!may())
    throw new OAuthRefusal('temporarily_unavailable', 'Too many requests came within a minute. Try again.', 429, {
      'Retry-After': '5',
    })
}

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Access-Control-Allow-Origin': '*' }

/** Answers in JSON; refusals too, in the words of OAuth. */
const told =
  (work: (exchange: HttpExchange) => Promise<readonly [number, unknown]>) =>
  async (exchange: HttpExchange): Promise<void> => {
    try {
      const [status, body] = await work(exchange)
      sendJson(exchange.response, status, body, noStore)
    } catch (error) {
      if (!isOAuthRefusal(error)) throw error
      const { status, message, headers } = error
      const body = { error: error.error, error_description: message }
      sendJson(exchange.response, status, body, { ...noStore, ...headers })
    }
  }

/** Ends the sign-in behind a token (RFC 7009). What is not ours, or over, is answered the same: it is no good now. */
const revoke = async ({ tokens, sessions, note }: AuthorizationRoutesParts, form: URLSearchParams): Promise<void> => {
  const token = once(form, 'token')
  if (token === undefined) throw new OAuthRefusal('invalid_request', 'token is missing.')
  const content = tokens.openRefresh(token) ?? tokens.openAccess(token)
  if (!content) return
  if (!isClientOf(content, once(form, 'client_id')))
    throw new OAuthRefusal('invalid_client', 'client_id is not the client of this token.', 401)
  const session = await sessions.findFresh(content.session)
  if (!session || !(await sessions.end(session.id, 'signed-out'))) return
  note({
    ...{ kind: 'sign-out', action: 'revoke', actor: actorOfSession(session), outcome: 'ok' },
    on: { type: 'session', id: session.id },
  })
}

/** Who somebody is, as far as their client may know it (OpenID Connect §5.3). */
const aboutThem = (bearers: OwnBearers, token: string | undefined): Readonly<Record<string, unknown>> => {
  const holder = token === undefined ? undefined : bearers.holderOf(token)
  const words = new Set(holder?.scope.split(' '))
  if (!holder)
    throw new OAuthRefusal('invalid_request', 'Show an access token.', 401, {
      'WWW-Authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
    })
  const { identity, keyId } = holder.session
  if (!words.has('openid'))
    throw new OAuthRefusal('invalid_scope', 'The scope openid is needed.', 403, {
      'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="openid"',
    })
  const email = words.has('email') ? identity?.email : undefined
  return {
    sub: identity?.id ?? `key:${keyId}`,
    name: words.has('profile') ? identity?.name : undefined,
    email,
    email_verified: email === undefined ? undefined : true,
  }
}

/** Under both names, with and without the path of an endpoint, before it and behind it: clients look in each of these. */
const metadataRoutes = ({ addresses, path, facts }: AuthorizationRoutesParts): readonly Route[] => {
  const open = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }
  const isOurs = (suffix: string): boolean => {
    if (suffix === '') return true
    const { issuer, origin, endpointOf } = addresses()
    return endpointOf(`${origin}${suffix}`) !== undefined || endpointOf(`${issuer}${suffix}`) !== undefined
  }
  const documents = { [serverName]: authorizationMetadata, [discoveryName]: discoveryMetadata }
  const below = path.replace(/\/$/, '')
  return Object.entries(documents).flatMap(([name, document]) =>
    [
      ...new Set([name, `${name}/:a`, `${name}/:a/:b`, `${name}/:a/:b/:c`, `${below}${name}`, `${below}/:a${name}`]),
    ].map(
      (place): Route => ({
        ...{ method: 'GET', path: place, right: 'open', anyOrigin: true, ownHeaders: true },
        handle: ({ response, params }) => {
          const names = ['a', 'b', 'c'].flatMap((each) => params[each] ?? [])
          const suffix = place.startsWith(name) ? names.map((each) => `/${each}`).join('') : ''
          if (!isOurs(suffix)) throw notFound('There is no authorization server of that name here.')
          sendJson(response, 200, document(addresses(), facts()), open)
        },
      }),
    ),
  )
}

import { randomBytes } from 'node:crypto'
import { providerCallback } from '../access/authorization/authorize.js'
import { createIdentityProvider } from '../access/identity-provider-client.js'
import { askIssuer, discover } from '../access/tokens/discovery.js'
import { type Introspection, isActive } from '../access/tokens/introspect.js'
import type { Config } from '../config/schema.js'
import { isGatewayError, messageOf } from '../errors.js'
import { systemClock } from '../model/clock.js'
import { openIssuerFetch } from './issuer-fetch.js'
import { say } from './locale.js'
import { publicBase } from './public-address.js'

/** An issuer of the configuration, as it answered. */
export interface IssuerCheck {
  readonly path: readonly (string | number)[]
  readonly issuer: string
  /** What is wrong and what to do; undefined where all is well. */
  readonly problem?: string | undefined
  /** Whether it took our secret; undefined where it has none of ours, or does not say. */
  readonly takesSecret?: true | undefined
}

interface Named {
  readonly path: readonly (string | number)[]
  readonly issuer: string
  readonly skewSeconds: number
  readonly introspect?: Introspection | undefined
}

/** Asks every issuer of the configuration what a gateway would ask it; for whoever wants to know before people come. */
export const checkIssuers = async ({
  auth,
  server,
}: Pick<Config, 'auth' | 'server'>): Promise<readonly IssuerCheck[]> => {
  const named: readonly Named[] = [
    ...(auth.people?.issuer === undefined
      ? []
      : [{ path: ['auth', 'people', 'issuer'], issuer: auth.people.issuer, skewSeconds: 60 }]),
    ...auth.tokens.map(({ issuer, clockSkewSeconds: skewSeconds, introspect }, index) => ({
      path: ['auth', 'tokens', index, 'issuer'],
      issuer,
      skewSeconds,
      introspect,
    })),
  ]
  const { fetch, close } = openIssuerFetch(named.map(({ issuer }) => issuer))
  try {
    return await Promise.all(
      named.map(async (each) => {
        const { path, issuer } = each
        const problem = await problemOf(each, fetch)
        const isPeoples = path[1] === 'people'
        return problem !== undefined || !isPeoples
          ? { path, issuer, problem }
          : ofSecret({ auth, server }, issuer, fetch)
      }),
    )
  } finally {
    await close()
  }
}

const problemOf = async (
  { issuer, skewSeconds, introspect }: Named,
  fetch: typeof globalThis.fetch,
): Promise<string | undefined> => {
  try {
    const facts = await discover(issuer, fetch)
    const { jwksUri, date } = facts
    const { status, body } = await askIssuer(issuer, new URL(jwksUri), fetch)
    if (status !== 200 || !Array.isArray(body.keys) || body.keys.length === 0)
      return say(`shows no keys at ${jwksUri} (${status})`, `在 ${jwksUri} 没有给出密钥（${status}）`)
    // No token, but our id and secret are looked at first.
    if (introspect) await isActive('pegboard-check', { issuer, facts, fetch, introspect })
    return date === undefined ? undefined : clockProblem(Math.round((systemClock.wall() - date) / 1000), skewSeconds)
  } catch (error) {
    return say(
      `cannot be used: ${messageOf(error)} Look at the address, and whether this machine reaches it`,
      `无法使用：${messageOf(error)} 请检查地址，以及本机能否访问它`,
    )
  }
}

/** Trades a code that nobody gave: whoever looks at it has taken our id and secret before. */
const ofSecret = async (
  { auth: { people }, server }: Pick<Config, 'auth' | 'server'>,
  issuer: string,
  fetch: typeof globalThis.fetch,
): Promise<IssuerCheck> => {
  const { clientId, clientSecret, scopes, claims } = people!
  const path = ['auth', 'people', 'issuer']
  if (clientId === undefined || clientSecret === undefined) return { path, issuer }
  const provider = createIdentityProvider({ issuer, clientId, clientSecret, scopes, claims, fetch, clock: systemClock })
  const state = 'pegboard-check'
  const codeVerifier = randomBytes(32).toString('base64url')
  const round = { redirectUri: `${publicBase(server, '')}${providerCallback}`, state, nonce: state, codeVerifier }
  const error = await provider
    .finish(new URLSearchParams({ code: state, state, iss: issuer }), round)
    .then(() => undefined)
    .catch((each: unknown) => each)
  const { setting, error: said } = (isGatewayError(error) ? error.details : undefined) ?? {}
  if (setting === 'auth.people.clientSecret')
    return {
      path: ['auth', 'people', 'clientSecret'],
      issuer,
      problem: say(
        'does not take our id or secret. Compare auth.people.clientId and auth.people.clientSecret with the client that is registered there',
        '不接受我们的 id 或密钥。请把 auth.people.clientId 和 auth.people.clientSecret 与在那里注册的客户端核对',
      ),
    }
  return { path, issuer, takesSecret: said === 'invalid_grant' || undefined }
}

/** What it signs would be over, or from the future. */
const clockProblem = (aheadSeconds: number, skewSeconds: number): string | undefined => {
  const seconds = Math.abs(aheadSeconds)
  // A header is a second old at least, and tells whole ones.
  if (seconds <= Math.max(skewSeconds, 5)) return undefined
  return aheadSeconds > 0
    ? say(
        `has a clock that is ${seconds} s behind this machine's: its tokens would count as expired. Set the clocks (NTP)`,
        `的时钟比本机慢 ${seconds} 秒：它的令牌会被视为已过期。请校准时钟（NTP）`,
      )
    : say(
        `has a clock that is ${seconds} s ahead of this machine's: its tokens would be from the future. Set the clocks (NTP)`,
        `的时钟比本机快 ${seconds} 秒：它的令牌会来自未来。请校准时钟（NTP）`,
      )
}

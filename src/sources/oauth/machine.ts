import type { FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client'
import { GatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { defined } from '../../model/json.js'
import { assertIssuer } from './client.js'
import { type Challenge, type Discovered, discover, placeOf, readChallenge, unusable } from './discover.js'
import { spentBy, toSignInError } from './failure.js'
import { fetchRulesFor, withOAuthFetch } from './oauth-fetch.js'
import type { ClientCredentialsAuth, PrivateKeyJwtAuth, SignInSurroundings } from './options.js'
import { isWider, scopeToAsk } from './scope.js'
import { loadSdk } from './sdk.js'
import type { Shelf } from './shelf.js'
import { HeldToken, toKeptTokens } from './tokens.js'

export interface MachineOptions extends SignInSurroundings {
  readonly source: string
  readonly server: URL
  readonly auth: ClientCredentialsAuth | PrivateKeyJwtAuth
  /** Which issuer has had our secret; its tokens are in memory only, since new ones cost one request. */
  readonly shelf: Shelf
}

/** The credentials of a source at which the gateway signs in for itself. */
export class MachineCredentials implements Credentials {
  readonly #options: MachineOptions
  readonly #held: HeldToken
  #renewing: Promise<void> | undefined
  /** What was asked for last; a lack of scope adds to it. */
  #scope: string | undefined

  constructor(options: MachineOptions) {
    this.#options = options
    this.#held = new HeldToken(options.clock)
  }

  get isSignedIn(): boolean {
    return this.#held.token !== undefined
  }

  headers(): Readonly<Record<string, string>> {
    return this.#held.headers
  }

  isFresh(): boolean {
    return this.#held.isFresh
  }

  renew(refusal: GatewayError | undefined): Promise<void> {
    this.#renewing ??= this.#renew(refusal).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(refusal: GatewayError | undefined): Promise<void> {
    const { server, auth, clock, onSecret } = this.#options
    const challenge = await readChallenge(refusal?.details?.wwwAuthenticate)
    // Asked for and not granted: asking again would only go round in circles.
    if (refusal?.details?.status === 403 && !isWider(challenge.scope, this.#scope)) throw refusal
    try {
      const tokens = await withOAuthFetch(fetchRulesFor(server, auth.issuer), (fetch) => this.#ask(challenge, fetch))
      const kept = toKeptTokens(tokens, clock)
      onSecret(kept.accessToken)
      this.#held.adopt(kept)
    } catch (error) {
      if (!refusal && !this.#held.isOver) return this.#held.postpone()
      const { code, message, details } = await toSignInError(error, server.origin)
      // Wrong credentials are a state that an operator has to end, not a server that is away.
      const status = spentBy(error) ? { status: 401 } : {}
      throw new GatewayError(code, message, { details: { ...details, ...status }, notSent: true })
    }
  }

  async #ask(challenge: Challenge, fetch: FetchLike) {
    const { server, auth, shelf, source } = this.#options
    const found = await discover(server, challenge, auth.issuer, fetch)
    if (!found) throw unusable(`${server.origin} publishes no OAuth metadata; set an Authorization header instead.`)
    const kept = await shelf.find(source, server.href)
    assertIssuer(auth.issuer, kept, found)
    if (kept?.issuer !== found.issuer) await shelf.save({ source, server: server.href, issuer: found.issuer })
    const before = this.#scope === undefined ? undefined : { scope: this.#scope }
    this.#scope = scopeToAsk(auth.scopes, challenge, found, before)
    const { fetchToken } = await loadSdk()
    return fetchToken(await providerOf(auth, found), found.authorizationServer, {
      metadata: found.metadata,
      fetchFn: fetch,
      ...defined({ scope: this.#scope, resource: found.resource }),
    })
  }
}

const providerOf = async (auth: MachineOptions['auth'], { issuer }: Discovered): Promise<OAuthClientProvider> => {
  const { ClientCredentialsProvider, PrivateKeyJwtProvider } = await loadSdk()
  const { clientId } = auth
  if (auth.type === 'client-credentials')
    return new ClientCredentialsProvider({ clientId, clientSecret: auth.clientSecret, expectedIssuer: issuer })
  const { privateKey, algorithm = 'ES256' } = auth
  try {
    return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm, expectedIssuer: issuer })
  } catch {
    throw unusable(`the private key for ${placeOf(issuer)} cannot be used with ${algorithm}.`)
  }
}

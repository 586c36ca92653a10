import type * as OAuth from 'oauth4webapi'
import { GatewayError, isGatewayError, messageOf } from '../errors.js'
import { isLoopbackHost } from '../http/admit.js'
import type { Clock } from '../model/clock.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { type ClaimNames, type ClaimRules, identityFrom, isIncomplete } from './claims.js'
import { providerSessionId } from './identity.js'
import type { IdentityProvider, SignedIn, SignInRound } from './identity-provider.js'
import { isRefusal, toSignInError } from './identity-provider-errors.js'

export interface IdentityProviderOptions {
  readonly issuer: string
  readonly clientId: string
  /** Left out: a public client, which PKCE alone protects. */
  readonly clientSecret?: string | undefined
  readonly scopes: readonly string[]
  readonly claims: ClaimNames
  /** What the provider should ask of people at each sign-in: `consent`, `login`, `select_account`. Default: its own choice. */
  readonly prompt?: string | undefined
  /** Bounded in bytes and time, follows no redirects, and keeps away from addresses that nobody wrote down. */
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /** Whether a sign-in without groups is a mistake; asked each time, so that a changed configuration counts at once. */
  readonly groupsNeeded?: (() => boolean) | undefined
}

const discoverEveryMs = 60 * 60_000
/** By how much the provider's clock may differ from ours. */
const toleranceSeconds = 60
/** An ID token from further ahead than this means that a clock is wrong, and nobody could say when anything ends. */
const mostAheadSeconds = 300
const tellEveryMs = 60_000
const google = 'https://accounts.google.com'

/** The steps are oauth4webapi's, loaded with the first sign-in; their order, what is asked for and what is believed are ours. */
export const createIdentityProvider = (options: IdentityProviderOptions): IdentityProvider =>
  new ProviderClient(options)

interface RequestOptions {
  readonly [OAuth.customFetch]: (url: string, options: object) => Promise<Response>
  readonly [OAuth.allowInsecureRequests]: boolean
}

interface Discovered {
  readonly oauth: typeof OAuth
  readonly server: OAuth.AuthorizationServer
  readonly client: OAuth.Client
  readonly authentication: OAuth.ClientAuth
  readonly request: RequestOptions
}

class ProviderClient implements IdentityProvider {
  readonly issuer: string
  readonly #options: IdentityProviderOptions
  readonly #logger: Logger
  readonly #address: URL
  #known: { readonly at: number; readonly server: OAuth.AuthorizationServer } | undefined
  #hasTold = false
  #toldAt: number | undefined
  #asking: Promise<OAuth.AuthorizationServer> | undefined
  /** The provider's keys as they were last read; the library looks again when one is missing, at most once a minute. */
  #keys: OAuth.JWKSCacheInput = {}

  constructor(options: IdentityProviderOptions) {
    this.#options = options
    this.#logger = options.logger ?? silentLogger
    this.issuer = options.issuer
    this.#address = new URL(options.issuer)
    if (this.#address.protocol !== 'https:' && !isLoopbackHost(this.#address.hostname.replace(/^\[|\]$/g, '')))
      throw new GatewayError('CONFIG_INVALID', `auth.people.issuer must be https: what it says lets people in.`, {
        details: { setting: 'auth.people.issuer' },
      })
    if (!options.scopes.includes('openid'))
      throw new GatewayError(
        'CONFIG_INVALID',
        `auth.people.scopes must hold "openid": nobody says who it was otherwise.`,
        {
          details: { setting: 'auth.people.scopes' },
        },
      )
  }

  async begin({ redirectUri, state, nonce, codeVerifier }: SignInRound): Promise<URL> {
    return this.#inWords(async () => {
      const { oauth, server, client } = await this.#discover()
      if (server.authorization_endpoint === undefined)
        throw new GatewayError(
          'SIGN_IN_FAILED',
          `'${this.#address.host}' names no place to sign in. Check auth.people.issuer.`,
        )
      const url = new URL(server.authorization_endpoint)
      const { scopes, prompt } = this.#options
      const parameters = {
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        prompt,
        // Its word for what others call offline_access.
        access_type: this.#address.origin === google ? 'offline' : undefined,
      }
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
      return url
    })
  }

  async finish(query: URLSearchParams, { redirectUri, state, nonce, codeVerifier }: SignInRound): Promise<SignedIn> {
    return this.#inWords(async () => {
      const { oauth, server, client, authentication, request } = await this.#discover()
      // `iss` first: an answer of another issuer must not be read any further (mix-up).
      const answer = oauth.validateAuthResponse(server, client, query, state)
      const given = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        answer,
        redirectUri,
        codeVerifier,
        request,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, given, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      await oauth.validateApplicationLevelSignature(server, given, { ...request, [oauth.jwksCache]: this.#keys })
      if (tokens.refresh_token === undefined) this.#tellOnce()
      return this.#signedIn(tokens, await this.#claimsOf(tokens))
    })
  }

  async again(refreshToken: string): Promise<SignedIn | 'ended' | 'away'> {
    try {
      const { oauth, server, client, authentication, request } = await this.#discover()
      const given = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, request)
      const tokens = await oauth.processRefreshTokenResponse(server, client, given)
      if (tokens.id_token !== undefined)
        await oauth.validateApplicationLevelSignature(server, given, { ...request, [oauth.jwksCache]: this.#keys })
      const signedIn = this.#signedIn(tokens, await this.#claimsOf(tokens))
      // Who does not rotate them means the one we have.
      return { ...signedIn, refreshToken: signedIn.refreshToken ?? refreshToken }
    } catch (error) {
      if (isRefusal(error)) return 'ended'
      // Not the person's fault: a provider that is away, a secret that was changed, a claim that is gone.
      this.#logger.log(
        'warn',
        `Whether people are still who they were cannot be asked: ${messageOf(this.#told(error))}`,
      )
      return 'away'
    }
  }

  #tellOnce(): void {
    if (this.#hasTold) return
    this.#hasTold = true
    this.#logger.log(
      'warn',
      'The identity provider gives nothing to ask it again with, so people sign in again after 24 hours. Add "offline_access" to auth.people.scopes, or see docs/identity.md.',
    )
  }

  #signedIn(tokens: OAuth.TokenEndpointResponse, claims: Readonly<Record<string, unknown>>): SignedIn {
    return {
      identity: identityFrom(claims, this.#rules),
      refreshToken: tokens.refresh_token,
      accessToken: tokens.access_token,
      idToken: tokens.id_token,
      providerSession: typeof claims.sid === 'string' ? providerSessionId(claims.sid) : undefined,
      expiresAt: tokens.expires_in === undefined ? undefined : this.#options.clock.wall() + tokens.expires_in * 1000,
    }
  }

  get #rules(): ClaimRules {
    const { claims: names, groupsNeeded = () => false } = this.#options
    return { names, setting: 'auth.people.claims', groupsNeeded: groupsNeeded() }
  }

  /** What the ID token says and, only where that leaves something open, what userinfo adds for the same subject. */
  async #claimsOf(tokens: OAuth.TokenEndpointResponse): Promise<Readonly<Record<string, unknown>>> {
    const { oauth, server, client, request } = await this.#discover()
    const own = oauth.getValidatedIdTokenClaims(tokens)
    if (own) this.#assertOurs(own)
    const mayAsk = server.userinfo_endpoint !== undefined && (!own || isIncomplete(own, this.#rules))
    if (!mayAsk) return own ?? {}
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, request)
    const more = await oauth.processUserInfoResponse(server, client, own?.sub ?? oauth.skipSubjectCheck, response)
    return { ...more, iss: server.issuer, ...own }
  }

  #assertOurs({ azp, iat }: OAuth.IDToken): void {
    const { clientId, clock } = this.#options
    if (azp !== undefined && azp !== clientId)
      throw new GatewayError(
        'SIGN_IN_FAILED',
        'The ID token was made for another client (azp). Check auth.people.clientId.',
      )
    const aheadSeconds = iat - clock.wall() / 1000
    if (aheadSeconds > mostAheadSeconds)
      throw new GatewayError(
        'SIGN_IN_FAILED',
        `The clocks differ: the ID token is from ${Math.round(aheadSeconds / 60)} minutes ahead of this machine. Set the clock of this machine, or of the identity provider.`,
      )
  }

  async #discover(): Promise<Discovered> {
    // Imported when first wanted: a gateway listens before, and nobody may ever sign in.
    const oauth = await import('oauth4webapi')
    const { clientId, clientSecret, fetch, clock } = this.#options
    const request: RequestOptions = {
      [oauth.customFetch]: (url, init) => fetch(url, init as RequestInit),
      [oauth.allowInsecureRequests]: this.#address.protocol === 'http:',
    }
    const server = await this.#metadata(oauth, request)
    const client: OAuth.Client = {
      client_id: clientId,
      [oauth.clockTolerance]: toleranceSeconds,
      [oauth.clockSkew]: Math.round((clock.wall() - Date.now()) / 1000),
    }
    return { oauth, server, client, authentication: authenticationOf(oauth, server, clientSecret), request }
  }

  #metadata(oauth: typeof OAuth, request: RequestOptions): Promise<OAuth.AuthorizationServer> {
    const now = this.#options.clock.now()
    const known = this.#known
    if (known && now - known.at < discoverEveryMs) return Promise.resolve(known.server)
    this.#asking ??= oauth
      .discoveryRequest(this.#address, { ...request, algorithm: 'oidc' })
      .then((response) => oauth.processDiscoveryResponse(this.#address, response))
      .then((server) => {
        this.#known = { at: this.#options.clock.now(), server }
        return server
      })
      .finally(() => {
        this.#asking = undefined
      })
    // What it said before stays good enough: where endpoints are changes once in years.
    return known ? this.#asking.catch(() => known.server) : this.#asking
  }

  async #inWords<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const told = this.#told(error)
      this.#tell(told)
      throw told
    }
  }

  /** Faults that no visitor can mend are for whoever runs this, once a minute: people tell them last. */
  #tell({ code, message, details }: GatewayError): void {
    if (code !== 'ISSUER_UNAVAILABLE' && details?.setting === undefined && !message.startsWith('The clocks differ'))
      return
    const now = this.#options.clock.now()
    if (this.#toldAt !== undefined && now - this.#toldAt < tellEveryMs) return
    this.#toldAt = now
    this.#logger.log('warn', `People cannot sign in: ${message}`)
  }

  #told(error: unknown): GatewayError {
    if (isGatewayError(error) && (error.code === 'SIGN_IN_FAILED' || error.code === 'CONFIG_INVALID')) return error
    return toSignInError(error, this.#address)
  }
}

/** As the provider says it takes it. The standard's default is the header. */
const authenticationOf = (
  oauth: typeof OAuth,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: OAuth.AuthorizationServer,
  secret: string | undefined,
): OAuth.ClientAuth => {
  if (secret === undefined) return oauth.None()
  if (methods.includes('client_secret_basic')) return oauth.ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return oauth.ClientSecretPost(secret)
  throw new GatewayError(
    'SIGN_IN_FAILED',
    'The identity provider takes no client secrets (token_endpoint_auth_methods_supported). Allow client_secret_basic or client_secret_post there.',
  )
}

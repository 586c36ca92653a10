import type { FetchLike, OAuthTokens } from '@modelcontextprotocol/client'
import { type GatewayError, isGatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import type { Caller } from '../../model/caller.js'
import { defined } from '../../model/json.js'
import { signInRequired } from '../sign-in-required.js'
import { placeOf, unusable } from './discover.js'
import { plainCode, toSignInError } from './failure.js'
import { fetchRulesFor, withOAuthFetch } from './oauth-fetch.js'
import type { ExchangeAuth, SignInSurroundings } from './options.js'
import { loadSdk } from './sdk.js'
import { HeldToken, type KeptTokens, toKeptTokens } from './tokens.js'

/** What vouches for a caller at the identity provider; it goes there and nowhere else. */
export interface ExchangeSubject {
  readonly accessToken?: string | undefined
  readonly idToken?: string | undefined
}

export type SubjectOf = (caller: Caller) => Promise<ExchangeSubject | undefined>

export interface ExchangeOptions extends SignInSurroundings {
  readonly source: string
  readonly server: URL
  readonly auth: ExchangeAuth
  readonly subjectOf?: SubjectOf | undefined
}

// What an identity provider that is away, or says no, is spared.
const againMs = 5000
const tokenType = (name: 'access_token' | 'id_token'): string => `urn:ietf:params:oauth:token-type:${name}`

/** A token of the server for one person, which the identity provider gives for their sign-in. In memory only. */
export class ExchangeCredentials implements Credentials {
  readonly #options: ExchangeOptions
  readonly #held: HeldToken
  #caller: Caller | undefined
  #renewing: Promise<void> | undefined
  #failed: { readonly error: unknown; readonly until: number } | undefined

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#held = new HeldToken(options.clock)
  }

  /** The one who calls now: by any sign-in of theirs a token can be had. */
  seen(caller: Caller): void {
    this.#caller = caller
  }

  headers(): Readonly<Record<string, string>> {
    return this.#held.headers
  }

  isFresh(): boolean {
    return this.#held.token !== undefined && this.#held.isFresh && !this.#held.isOver
  }

  renew(refusal: GatewayError | undefined): Promise<void> {
    this.#renewing ??= this.#renew(refusal).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  reset(): void {
    this.#caller = undefined
    this.#failed = undefined
    this.#held.clear()
  }

  async #renew(refusal: GatewayError | undefined): Promise<void> {
    const { clock, onSecret } = this.#options
    if (this.#failed && clock.now() < this.#failed.until) throw this.#failed.error
    // A lack of rights is not mended by the same request.
    if (refusal?.details?.status === 403) throw refusal
    try {
      const tokens = await this.#exchange()
      onSecret(tokens.accessToken)
      this.#failed = undefined
      this.#held.adopt(tokens)
      this.#tell()
    } catch (error) {
      this.#held.clear()
      this.#failed = { error, until: clock.now() + againMs }
      this.#tell(isGatewayError(error) ? error.code : 'SOURCE_UNAVAILABLE')
      throw error
    }
  }

  /** Each use of somebody's sign-in for another server is told, those that were refused too. */
  #tell(failed?: string): void {
    const { onCredential, source, auth } = this.#options
    const grant = auth.grant ?? 'token-exchange'
    onCredential?.({
      action: 'exchange',
      source,
      caller: this.#caller?.identity?.id ?? this.#caller?.id,
      grant,
      failed,
    })
  }

  async #exchange(): Promise<KeptTokens> {
    const { auth, source, subjectOf, clock } = this.#options
    // What one issuer gave out is shown to no other.
    if (this.#caller?.identity && !isSame(this.#caller.identity.issuer, auth.issuer))
      throw notVouched(source, `it is at another identity provider than ${placeOf(auth.issuer)}`)
    const subject = this.#caller?.identity && (await subjectOf?.(this.#caller))
    if (!subject) throw notVouched(source, 'there is none that the identity provider knows')
    const issuer = new URL(auth.issuer)
    try {
      const rules = fetchRulesFor(issuer, undefined)
      if (auth.grant !== 'id-jag')
        return toKeptTokens(await withOAuthFetch(rules, (fetch) => exchanged(fetch, auth, subject, source)), clock)
      const assertion = await withOAuthFetch(rules, (fetch) => this.#assertion(fetch, subject))
      return toKeptTokens(await this.#redeem(assertion), clock)
    } catch (error) {
      if (isGatewayError(error)) throw error
      const failure = await toSignInError(error, placeOf(auth.issuer))
      const code = plainCode(failure.details?.oauth)
      throw theirs.has(code) ? notVouched(source, `the identity provider refused it (${code})`) : failure
    }
  }

  /** First step of two: the identity provider vouches for who calls, to the server's own authorization server. */
  async #assertion(fetch: FetchLike, { idToken }: ExchangeSubject): Promise<string> {
    const { auth, source, server } = this.#options
    if (idToken === undefined) throw notVouched(source, 'there is no ID token in it')
    const { requestJwtAuthorizationGrant } = await loadSdk()
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
      tokenEndpoint: await tokenEndpoint(fetch, auth.issuer),
      audience: auth.audience,
      resource: server,
      idToken,
      clientId: auth.clientId,
      clientSecret: auth.clientSecret,
      fetchFn: fetch,
      ...defined({ scope: auth.scopes?.join(' ') }),
    })
    return jwtAuthGrant
  }

  /** Second step: that authorization server takes it, and knows us by another secret. */
  #redeem(assertion: string): Promise<OAuthTokens> {
    const { server: at } = this.#options.auth
    if (!at) throw unusable('"server" is missing beside "grant": "id-jag".')
    return withOAuthFetch(fetchRulesFor(new URL(at.issuer), undefined), async (fetch) => {
      const { exchangeJwtAuthGrant } = await loadSdk()
      return exchangeJwtAuthGrant({
        tokenEndpoint: await tokenEndpoint(fetch, at.issuer),
        jwtAuthGrant: assertion,
        clientId: at.clientId,
        fetchFn: fetch,
        ...(at.clientSecret === undefined ? { authMethod: 'none' } : { clientSecret: at.clientSecret }),
      }) as Promise<OAuthTokens>
    })
  }
}

/** RFC 8693 §2.1: what was given out to us for this person, for a token of the server. */
const exchanged = async (
  fetch: FetchLike,
  auth: ExchangeAuth,
  { accessToken, idToken }: ExchangeSubject,
  source: string,
): Promise<OAuthTokens> => {
  const subject = accessToken ?? idToken
  if (subject === undefined) throw notVouched(source, 'there is no token in it')
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: subject,
    subject_token_type: tokenType(accessToken === undefined ? 'id_token' : 'access_token'),
    requested_token_type: tokenType('access_token'),
    audience: auth.audience,
    ...defined({ scope: auth.scopes?.join(' ') }),
  })
  const pair = [auth.clientId, auth.clientSecret].map(encodeURIComponent).join(':')
  const answer = await fetch(await tokenEndpoint(fetch, auth.issuer), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    },
    body: body.toString(),
  })
  const { parseErrorResponse } = await loadSdk()
  if (!answer.ok) throw await parseErrorResponse(answer)
  const tokens = (await answer.json()) as Partial<OAuthTokens> | null
  if (typeof tokens?.access_token !== 'string') throw new Error('no token in the answer')
  // Never what we showed: it is the caller's own, and would be passed on (MCP forbids that).
  if (tokens.access_token === subject) throw unusable(`${placeOf(auth.issuer)} gave back the caller's own token.`)
  return { ...tokens, access_token: tokens.access_token, token_type: String(tokens.token_type ?? 'Bearer') }
}

const tokenEndpoint = async (fetch: FetchLike, issuer: string): Promise<string> => {
  const { discoverAuthorizationServerMetadata } = await loadSdk()
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch })
  if (!metadata) throw unusable(`${placeOf(issuer)} publishes no OAuth metadata.`)
  if (!isSame(metadata.issuer, issuer))
    throw unusable(`${placeOf(issuer)} names itself otherwise than auth.issuer does.`)
  return metadata.token_endpoint
}

const isSame = (one: string, other: string): boolean => one.replace(/\/$/, '') === other.replace(/\/$/, '')

/** What the person can mend by signing in again; the rest is the operator's. */
const theirs: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_request', 'access_denied', 'invalid_token'])

const notVouched = (source: string, why: string): GatewayError =>
  signInRequired(
    source,
    'identity',
    `'${source}' is used with your sign-in at the gateway, and ${why}. Sign in at the gateway again.`,
  )

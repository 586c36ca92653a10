import type { FetchLike, OAuthTokens } from '@modelcontextprotocol/client'
import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { defined } from '../../model/json.js'
import { toClientInformation } from './client.js'
import { type Challenge, type Discovered, discover, placeOf, readChallenge } from './discover.js'
import { spentBy, toSignInError, wantsSignIn } from './failure.js'
import { fetchRulesFor, withOAuthFetch } from './oauth-fetch.js'
import type { OAuthSignIn, SignInSurroundings } from './options.js'
import { isWider, unionOf } from './scope.js'
import { loadSdk } from './sdk.js'
import type { KeptSignIn, Shelf } from './shelf.js'
import { HeldToken, type KeptTokens, toKeptTokens } from './tokens.js'

export interface InteractiveOptions extends SignInSurroundings {
  readonly source: string
  /** The server's address, as http or https. */
  readonly server: URL
  /** Undefined where nothing is configured: then a 401 without OAuth metadata stays what it is. */
  readonly auth: OAuthSignIn | undefined
  readonly shelf: Shelf
  /** Told when a sign-in that worked is worth nothing any more. */
  readonly onLost: () => void
}

/** What the next sign-in needs to know of the last refusal. */
export interface WantedSignIn {
  readonly challenge: Challenge
  /** More rights than before are wanted, so what was asked for then is asked for again. */
  readonly more: boolean
}

/**
 * The credentials of a source at which a person signs in. They come from the shelf, where a sign-in puts them, perhaps by
 * another process; here they are used, renewed and, when the server is done with them, given up.
 */
export class InteractiveCredentials implements Credentials {
  readonly #options: InteractiveOptions
  readonly #held: HeldToken
  #loaded = false
  #renewing: Promise<void> | undefined
  #wanted: WantedSignIn | undefined
  /** What a challenge turned out to mean, so that a server that is asked every minute is not discovered every minute. */
  #answered: { readonly text: string; readonly offered: boolean } | undefined

  constructor(options: InteractiveOptions) {
    this.#options = options
    this.#held = new HeldToken(options.clock)
  }

  /** Set while somebody should sign in. */
  get wanted(): WantedSignIn | undefined {
    return this.#wanted
  }

  headers(): Readonly<Record<string, string>> {
    return this.#held.headers
  }

  isFresh(): boolean {
    return this.#loaded && this.#held.isFresh
  }

  renew(refusal: GatewayError | undefined): Promise<void> {
    this.#renewing ??= this.#renew(refusal).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Somebody signed in or out: what is held is read anew before the next request. */
  reset(): void {
    this.#loaded = false
    this.#wanted = undefined
    this.#answered = undefined
    this.#held.clear()
  }

  async #renew(refusal: GatewayError | undefined): Promise<void> {
    const kept = await this.#look(refusal)
    this.#loaded = true
    // Signed in or renewed elsewhere; a refusal was for what we held until now.
    if (kept?.tokens && kept.tokens.accessToken !== this.#held.token) {
      this.#adopt(kept.tokens)
      if (this.#held.isFresh) return
    }
    if (refusal?.details?.status === 403) throw await this.#tooFewRights(refusal, kept)
    if (kept?.tokens?.refreshToken !== undefined) return this.#refresh(refusal, kept, kept.tokens.refreshToken)
    if (!refusal) return this.#held.useUp()
    if (kept?.tokens) await this.#lose(kept, 'tokens')
    throw await this.#mustSignIn(refusal)
  }

  /** What is kept. A file that cannot be read concerns only those who need it: most servers want no sign-in at all. */
  async #look(refusal: GatewayError | undefined): Promise<KeptSignIn | undefined> {
    const { source, server, shelf, logger } = this.#options
    try {
      return await shelf.find(source, server.href)
    } catch (error) {
      if (refusal) throw error
      logger.log('warn', `The sign-ins cannot be read: ${messageOf(error)}`, { source })
      return undefined
    }
  }

  #adopt(tokens: KeptTokens): void {
    this.#options.onSecret(tokens.accessToken)
    if (tokens.refreshToken !== undefined) this.#options.onSecret(tokens.refreshToken)
    this.#held.adopt(tokens)
    this.#wanted = undefined
  }

  async #refresh(refusal: GatewayError | undefined, kept: KeptSignIn, refreshToken: string): Promise<void> {
    const { shelf, clock } = this.#options
    const challenge = await this.#challengeOf(refusal, kept)
    let tokens: OAuthTokens | undefined
    try {
      tokens = await this.#flow(challenge, (fetch, found) => refreshed(fetch, found, kept, refreshToken))
    } catch (error) {
      return this.#notRefreshed(error, refusal, kept)
    }
    if (!tokens) {
      await this.#lose(kept, 'client')
      throw await this.#mustSignIn(refusal)
    }
    const scope = tokens.scope ?? kept.tokens?.scope
    const next = { ...toKeptTokens(tokens, clock), scope }
    await shelf.save({ ...kept, tokens: next })
    this.#adopt(next)
  }

  async #notRefreshed(error: unknown, refusal: GatewayError | undefined, kept: KeptSignIn): Promise<void> {
    const spent = spentBy(error)
    if (spent) {
      await this.#lose(kept, spent)
      throw await this.#mustSignIn(refusal, 'The sign-in is no longer good.')
    }
    // The server may be back before the token is over: until then it is used as it is.
    if (!refusal && !this.#held.isOver) return this.#held.postpone()
    throw await toSignInError(error, placeOf(kept.issuer))
  }

  async #lose(kept: KeptSignIn, what: 'tokens' | 'client'): Promise<void> {
    await this.#options.shelf.spend(kept, what)
    this.#held.clear()
    this.#options.onLost()
  }

  /** A lack of scope. What was asked for already and is refused all the same cannot be had by asking again. */
  async #tooFewRights(refusal: GatewayError, kept: KeptSignIn | undefined): Promise<GatewayError> {
    const { source, server } = this.#options
    const challenge = await readChallenge(refusal.details?.wwwAuthenticate)
    const had = unionOf(kept?.scope, kept?.tokens?.scope)
    if (!isWider(challenge.scope, had)) return refusal
    this.#wanted = { challenge, more: true }
    return wantsSignIn(source, `${server.origin} wants more rights than were granted.`, 403)
  }

  async #mustSignIn(refusal: GatewayError | undefined, why?: string): Promise<GatewayError> {
    const { source, server, auth } = this.#options
    const challenge = await readChallenge(refusal?.details?.wwwAuthenticate)
    const known = why !== undefined || auth !== undefined || (await this.#isOffered(refusal, challenge))
    if (isGatewayError(known)) return known
    if (!known && refusal) return refusal
    this.#wanted = { challenge, more: false }
    return wantsSignIn(source, why ?? `${server.origin} wants somebody to sign in.`, 401)
  }

  /** Whether the server publishes where to sign in; the reason, as a state of the source, where that cannot be used. */
  async #isOffered(refusal: GatewayError | undefined, challenge: Challenge): Promise<boolean | GatewayError> {
    const text = String(refusal?.details?.wwwAuthenticate ?? '')
    if (this.#answered?.text === text) return this.#answered.offered
    try {
      const offered = await this.#flow(challenge, async (_fetch, found) => found !== undefined)
      this.#answered = { text, offered }
      return offered
    } catch (error) {
      const { code, message, details } = await toSignInError(error, this.#options.server.origin)
      return new GatewayError(code, message, { details: { ...details, status: 401 }, notSent: true })
    }
  }

  async #challengeOf(refusal: GatewayError | undefined, kept: KeptSignIn): Promise<Challenge> {
    const challenge = await readChallenge(refusal?.details?.wwwAuthenticate)
    if (challenge.metadataUrl !== undefined || kept.metadataUrl === undefined) return challenge
    return { ...challenge, metadataUrl: new URL(kept.metadataUrl) }
  }

  #flow<T>(challenge: Challenge, use: (fetch: FetchLike, found: Discovered | undefined) => Promise<T>): Promise<T> {
    const { server, auth } = this.#options
    return withOAuthFetch(fetchRulesFor(server, auth?.issuer), async (fetch) =>
      use(fetch, await discover(server, challenge, auth?.issuer, fetch)),
    )
  }
}

/** New tokens for a refresh token; undefined where the server now has another authorization server (SEP-2352). */
const refreshed = async (fetch: FetchLike, found: Discovered | undefined, kept: KeptSignIn, refreshToken: string) => {
  if (!found || found.issuer !== kept.issuer || !kept.client) return undefined
  const { refreshAuthorization } = await loadSdk()
  return refreshAuthorization(found.authorizationServer, {
    metadata: found.metadata,
    clientInformation: toClientInformation(kept.client),
    refreshToken,
    fetchFn: fetch,
    ...defined({ resource: found.resource }),
  })
}

import type { FetchLike } from '@modelcontextprotocol/client'
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
  /** Whose it is; undefined for the one of all. */
  readonly caller?: string | undefined
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
  /** Renewed, and not kept yet: the shelf is behind us. */
  #unkept: KeptTokens | undefined
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
    this.#unkept = undefined
    this.#held.clear()
  }

  /** Resolves when what is kept can be compared with what is held; undefined when it can be now. */
  get busy(): Promise<unknown> | undefined {
    return this.#renewing?.catch(() => {})
  }

  /** What others made of the sign-in, as it is kept now. True where the source should start anew. */
  catchUp(kept: KeptSignIn | undefined): boolean {
    if (!this.#loaded || this.#unkept || kept?.tokens?.accessToken === this.#held.token) return false
    const { token } = this.#held
    if (!kept?.tokens) this.reset()
    else this.#adopt(kept.tokens)
    return token === undefined || !kept?.tokens
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
    if (kept?.tokens?.refreshToken !== undefined) return this.#refresh(refusal, kept)
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

  async #refresh(refusal: GatewayError | undefined, kept: KeptSignIn): Promise<void> {
    const { exclusively } = this.#options
    const challenge = await this.#challengeOf(refusal, kept)
    let next: Renewed
    try {
      // Where to ask is found out before: what everybody else waits for is one request.
      next = await this.#flow(challenge, (fetch, found) =>
        exclusively
          ? exclusively(`refresh:${this.#options.shelf.idOf(kept)}`, async () =>
              this.#ask(fetch, found, await this.#unlessDone(kept)),
            )
          : this.#ask(fetch, found, kept),
      )
    } catch (error) {
      return this.#notRefreshed(error, refusal, kept)
    }
    if (next === 'signed out') {
      this.#held.clear()
      if (refusal) throw await this.#mustSignIn(refusal)
    } else if (next) this.#adopt(next)
    else {
      await this.#lose(kept, 'client')
      throw await this.#mustSignIn(refusal)
    }
  }

  /** What another process made of it while we waited for our turn; the same where it is still ours to renew. */
  async #unlessDone(kept: KeptSignIn): Promise<KeptSignIn | KeptTokens | 'signed out'> {
    const now = await this.#options.shelf.find(kept.source, kept.server)
    if (now?.tokens?.refreshToken !== undefined && now.tokens.accessToken === kept.tokens?.accessToken) return now
    return now?.tokens ?? 'signed out'
  }

  /** One request for new tokens, which are kept before anybody else has a turn. */
  async #ask(
    fetch: FetchLike,
    found: Discovered | undefined,
    from: KeptSignIn | KeptTokens | 'signed out',
  ): Promise<Renewed> {
    if (from === 'signed out' || 'accessToken' in from) return from
    const answer = await refreshed(fetch, found, from)
    if (!answer) return undefined
    const tokens: KeptTokens = {
      ...toKeptTokens(answer, this.#options.clock),
      scope: answer.scope ?? from.tokens?.scope,
    }
    // The old ones are spent: whatever becomes of the shelf, these are good.
    this.#adopt(tokens)
    this.#options.onCredential?.({ action: 'refresh', source: from.source, caller: this.#options.caller })
    this.#unkept = tokens
    try {
      return await this.#keep(from, tokens)
    } catch (error) {
      if (!this.#options.exclusively) throw error
      this.#keepLater(from, tokens, error)
      return tokens
    } finally {
      if (!this.#options.exclusively) this.#unkept = undefined
    }
  }

  async #keep(from: KeptSignIn, tokens: KeptTokens): Promise<KeptTokens | 'signed out'> {
    const { shelf } = this.#options
    const isKept = await shelf.renew(from, tokens)
    this.#unkept = undefined
    return isKept ? tokens : ((await shelf.find(from.source, from.server))?.tokens ?? 'signed out')
  }

  /** The store went away in between. Nobody renews without it, so there is time until it is back. */
  #keepLater(from: KeptSignIn, tokens: KeptTokens, error: unknown): void {
    const { clock, logger, source } = this.#options
    logger.log('warn', `The renewed sign-in of '${source}' is not kept yet: ${messageOf(error)}`, { source })
    clock.after(keepAgainMs, () => {
      if (this.#unkept !== tokens) return
      this.#keep(from, tokens).then(
        (kept) => void (kept !== tokens && this.reset()),
        (again: unknown) => this.#keepLater(from, tokens, again),
      )
    })
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
    this.#options.onCredential?.({ action: 'lose', source: kept.source, caller: this.#options.caller })
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

type Renewed = KeptTokens | 'signed out' | undefined

const keepAgainMs = 1000

/** New tokens for a refresh token; undefined where the server now has another authorization server (SEP-2352). */
const refreshed = async (fetch: FetchLike, found: Discovered | undefined, kept: KeptSignIn) => {
  const refreshToken = kept.tokens?.refreshToken
  if (!found || found.issuer !== kept.issuer || !kept.client || refreshToken === undefined) return undefined
  const { refreshAuthorization } = await loadSdk()
  return refreshAuthorization(found.authorizationServer, {
    metadata: found.metadata,
    clientInformation: toClientInformation(kept.client),
    refreshToken,
    fetchFn: fetch,
    ...defined({ resource: found.resource }),
  })
}

import { GatewayError } from '../../errors.js'
import { defined } from '../../model/json.js'
import { assertIssuer, clientFor, toClientInformation } from './client.js'
import { type Challenge, type Discovered, discover, placeOf, unusable } from './discover.js'
import { plainCode, toSignInError } from './failure.js'
import type { WantedSignIn } from './interactive.js'
import { fetchRulesFor, isLoopbackName, withOAuthFetch } from './oauth-fetch.js'
import type { OAuthSignIn, SignInSurroundings } from './options.js'
import { scopeToAsk } from './scope.js'
import { loadSdk } from './sdk.js'
import type { KeptClient, Shelf } from './shelf.js'
import { toKeptTokens } from './tokens.js'

/** One source at which a person may sign in. */
export interface SignInPlace extends SignInSurroundings {
  readonly source: string
  readonly server: URL
  readonly auth: OAuthSignIn
  readonly shelf: Shelf
}

/**
 * A sign-in between its link and its way back: bound to its source, its server, its verifier and the way it came. Plain
 * data: the browser may come back to another process than the one that sent it away.
 */
export interface BegunSignIn {
  readonly source: string
  /** The person who began it for themselves; undefined where it is for everybody. */
  readonly caller?: string | undefined
  readonly server: string
  readonly found: Discovered
  readonly client: KeptClient
  readonly verifier: string
  readonly redirectUrl: string
  readonly scope: string | undefined
  readonly metadataUrl: string | undefined
}

/** What the browser brought back. */
export interface CameBack {
  readonly code: string | undefined
  readonly iss: string | undefined
  readonly error: string | undefined
}

/** Finds out where to sign in and as whom. `keep` gets what must be remembered and gives the state to send along. */
export const beginSignIn = async (
  place: SignInPlace,
  wanted: WantedSignIn | undefined,
  redirectUrl: string,
  keep: (begun: BegunSignIn) => Promise<string>,
): Promise<URL> => {
  const { source, server, auth, shelf, clock } = place
  try {
    return await withOAuthFetch(fetchRulesFor(server, auth.issuer), async (fetch) => {
      const kept = await shelf.find(source, server.href)
      const challenge = withKeptUrl(wanted?.challenge ?? {}, kept?.metadataUrl)
      const found = await discover(server, challenge, auth.issuer, fetch)
      if (!found) throw unusable(`${server.origin} publishes no OAuth metadata; set an Authorization header instead.`)
      assertCodeFlow(found)
      const scope = scopeToAsk(auth.scopes, challenge, found, wanted?.more ? kept : undefined)
      const client = await clientFor({ auth, found, kept, redirectUrl, scope, fetch, clock })
      // Kept at once: a registration that is forgotten is made again at every try.
      const same = kept?.issuer === found.issuer ? kept : undefined
      if (client !== same?.client)
        await shelf.save({ ...same, source, server: server.href, issuer: found.issuer, client })
      const metadataUrl = challenge.metadataUrl?.href
      return toLink({ source, server: server.href, found, client, redirectUrl, scope, metadataUrl }, keep)
    })
  } catch (error) {
    throw await toSignInError(error, server.origin)
  }
}

const withKeptUrl = (challenge: Challenge, kept: string | undefined): Challenge =>
  challenge.metadataUrl === undefined && kept !== undefined ? { ...challenge, metadataUrl: new URL(kept) } : challenge

// The spec has clients refuse a server that does not say it checks the proof: without it a stolen code is a token.
const assertCodeFlow = ({ metadata, issuer }: Discovered): void => {
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw unusable(`${placeOf(issuer)} does not offer PKCE (S256).`)
}

const toLink = async (
  begun: Omit<BegunSignIn, 'verifier'>,
  keep: (begun: BegunSignIn) => Promise<string>,
): Promise<URL> => {
  const { startAuthorization } = await loadSdk()
  const { found, client, redirectUrl, scope } = begun
  const { authorizationUrl, codeVerifier } = await startAuthorization(found.authorizationServer, {
    metadata: found.metadata,
    clientInformation: toClientInformation(client),
    redirectUrl,
    ...defined({ scope, resource: found.resource }),
  })
  assertOpenable(authorizationUrl)
  authorizationUrl.searchParams.set('state', await keep({ ...begun, verifier: codeVerifier }))
  return authorizationUrl
}

// People click on it and shells have been known to run it (CVE-2025-6514), so it is a web address or nothing (T9).
const assertOpenable = (url: URL): void => {
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))
  if (!isWeb || url.username !== '' || url.password !== '')
    throw unusable('its authorization server names an address to sign in at that is not an https one.')
}

/** Redeems what came back, for the one who began it, and keeps the tokens. */
export const finishSignIn = async (place: SignInPlace, begun: BegunSignIn, back: CameBack): Promise<void> => {
  const { found, client, scope } = begun
  const { server, auth, shelf, source } = place
  const sdk = await loadSdk()
  try {
    // Before anything else of the answer is looked at: in a mix-up also its error is somebody else's (RFC 9207 §2.4).
    sdk.validateAuthorizationResponseIssuer({
      iss: back.iss,
      expectedIssuer: found.metadata.issuer,
      issParameterSupported: found.metadata.authorization_response_iss_parameter_supported === true,
    })
    if (back.error !== undefined || back.code === undefined) throw refusedThere(found, back.error)
    if (auth.clientSecret !== undefined) assertIssuer(auth.issuer, await shelf.find(source, server.href), found)
    const tokens = await withOAuthFetch(fetchRulesFor(server, auth.issuer), (fetch) =>
      redeem(begun, back.code!, back.iss, fetch),
    )
    const kept = toKeptTokens(tokens, place.clock)
    const { metadataUrl } = begun
    await shelf.save({ source, server: server.href, issuer: found.issuer, client, tokens: kept, scope, metadataUrl })
  } catch (error) {
    throw await toSignInError(error, placeOf(found.issuer))
  }
}

const redeem = async (
  { found, client, verifier, redirectUrl }: BegunSignIn,
  code: string,
  iss: string | undefined,
  fetch: Parameters<typeof discover>[3],
) => {
  const { exchangeAuthorization } = await loadSdk()
  return exchangeAuthorization(found.authorizationServer, {
    metadata: found.metadata,
    clientInformation: toClientInformation(client),
    authorizationCode: code,
    codeVerifier: verifier,
    redirectUri: redirectUrl,
    fetchFn: fetch,
    ...defined({ iss, resource: found.resource }),
  })
}

const refusedThere = ({ issuer }: Discovered, error: string | undefined): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    `The sign-in did not work: ${placeOf(issuer)} sent us away (${error === undefined ? 'without a code' : plainCode(error)}). Try again.`,
  )

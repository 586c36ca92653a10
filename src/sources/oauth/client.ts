import type { FetchLike, OAuthClientInformationMixed, OAuthClientMetadata } from '@modelcontextprotocol/client'
import type { Clock } from '../../model/clock.js'
import { defined } from '../../model/json.js'
import { type Discovered, placeOf, unusable } from './discover.js'
import type { OAuthSignIn } from './options.js'
import { loadSdk } from './sdk.js'
import type { KeptClient, KeptSignIn } from './shelf.js'

export interface ClientRequest {
  readonly auth: OAuthSignIn
  readonly found: Discovered
  readonly kept: KeptSignIn | undefined
  readonly redirectUrl: string
  readonly scope: string | undefined
  readonly fetch: FetchLike
  readonly clock: Clock
}

/** Who we are at this authorization server: as configured, by our own document, as registered earlier, or newly registered. */
export const clientFor = async (request: ClientRequest): Promise<KeptClient> => {
  const { auth, found, kept, redirectUrl } = request
  if (auth.clientId !== undefined) {
    // The source decides where its users sign in; without this it could have our secret sent to a place of its own.
    if (auth.clientSecret !== undefined) assertIssuer(auth.issuer, kept, found)
    return { id: auth.clientId, secret: auth.clientSecret, redirectUrl }
  }
  if (auth.clientMetadataUrl !== undefined && found.metadata.client_id_metadata_document_supported === true)
    return { id: auth.clientMetadataUrl, redirectUrl }
  // Client ids belong to who gave them out: another issuer, or another way back, is another registration.
  const known = kept?.issuer === found.issuer ? kept.client : undefined
  const isGood = known?.redirectUrl === redirectUrl && !isOver(known, request.clock)
  return known && isGood ? known : register(request)
}

/** Secrets go to the configured issuer, else to the first one that was seen, and to no other. */
export const assertIssuer = (
  configured: string | undefined,
  kept: KeptSignIn | undefined,
  { issuer }: Discovered,
): void => {
  const bound = configured ?? kept?.issuer
  if (bound === undefined || bound.replace(/\/$/, '') === issuer.replace(/\/$/, '')) return
  throw unusable(
    `its authorization server is now ${placeOf(issuer)} and was ${placeOf(bound)}; our secret is not sent there. Set auth.issuer if that is right.`,
  )
}

const isOver = ({ secretExpiresAt }: KeptClient, clock: Clock): boolean =>
  secretExpiresAt !== undefined && secretExpiresAt <= clock.wall()

const register = async ({ found, redirectUrl, scope, fetch }: ClientRequest): Promise<KeptClient> => {
  if (!found.metadata.registration_endpoint)
    throw unusable(
      `${placeOf(found.issuer)} registers no clients by itself. Register one there with the redirect URL ${redirectUrl} and set auth.clientId.`,
    )
  const sdk = await loadSdk()
  const clientMetadata = sdk.resolveClientMetadata({ clientMetadata: describeUs(found, redirectUrl), redirectUrl })
  const made = await sdk.registerClient(found.authorizationServer, {
    metadata: found.metadata,
    clientMetadata,
    fetchFn: fetch,
    ...defined({ scope }),
  })
  return {
    id: made.client_id,
    secret: made.client_secret,
    method: made.token_endpoint_auth_method,
    redirectUrl,
    // Zero says that it never ends (RFC 7591 §3.2.1).
    secretExpiresAt: made.client_secret_expires_at ? made.client_secret_expires_at * 1000 : undefined,
  }
}

const describeUs = ({ metadata }: Discovered, redirectUrl: string): OAuthClientMetadata => {
  const methods = metadata.token_endpoint_auth_methods_supported ?? []
  // A program on somebody's machine keeps no secret well, so none is asked for where the server lets us.
  const method = ['none', 'client_secret_basic', 'client_secret_post'].find((each) => methods.includes(each))
  return {
    client_name: 'Pegboard',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...defined({ token_endpoint_auth_method: method }),
  }
}

/** A client in the SDK's words. */
export const toClientInformation = ({ id, secret, method }: KeptClient): OAuthClientInformationMixed => ({
  client_id: id,
  ...defined({
    client_secret: secret,
    token_endpoint_auth_method: method,
    redirect_uris: method === undefined ? undefined : [],
  }),
})

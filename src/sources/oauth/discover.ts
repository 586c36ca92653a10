import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { GatewayError, isGatewayError } from '../../errors.js'
import { loadSdk, type Sdk } from './sdk.js'

/** What a refusal said about how to come in (RFC 6750 §3, RFC 9728 §5.1). */
export interface Challenge {
  readonly metadataUrl?: URL | undefined
  readonly scope?: string | undefined
}

/** Where to sign in for a server, as it says itself. */
export interface Discovered {
  readonly issuer: string
  readonly authorizationServer: string
  readonly metadata: AuthorizationServerMetadata
  /** RFC 8707: what the token is for, in the server's own spelling. */
  readonly resource: string | undefined
  /** All scopes that the server knows of. */
  readonly scopes: string | undefined
}

const longestScope = 4096

/** Reads the challenge of a refusal. */
export const readChallenge = async (wwwAuthenticate: unknown): Promise<Challenge> => {
  if (typeof wwwAuthenticate !== 'string' || wwwAuthenticate === '') return {}
  const { extractWWWAuthenticateParams } = await loadSdk()
  const headers = { 'www-authenticate': wwwAuthenticate.replace(/[^\x20-\x7e]/g, ' ') }
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(new Response(null, { headers }))
  return { metadataUrl: resourceMetadataUrl, scope: scope?.slice(0, longestScope) }
}

/**
 * Finds the authorization server: by the server's resource metadata, else at the server itself, as before 2025-06-18.
 * Undefined when neither is published, so that this server wants something other than OAuth.
 */
export const discover = async (
  server: URL,
  challenge: Challenge,
  issuer: string | undefined,
  fetch: FetchLike,
): Promise<Discovered | undefined> => {
  const sdk = await loadSdk()
  const resource = await resourceMetadata(sdk, server, challenge, fetch)
  const authorizationServer = chosenServer(resource, server, issuer)
  const metadata = await sdk.discoverAuthorizationServerMetadata(authorizationServer, { fetchFn: fetch })
  if (!metadata && !resource) return undefined
  if (!metadata) throw unusable(`${placeOf(authorizationServer)} publishes no OAuth metadata.`)
  return {
    issuer: metadata.issuer,
    authorizationServer,
    metadata,
    resource: resource && checkedResource(sdk, server, resource),
    scopes: resource?.scopes_supported?.join(' ').slice(0, longestScope) || undefined,
  }
}

const resourceMetadata = async (
  sdk: Sdk,
  server: URL,
  { metadataUrl }: Challenge,
  fetch: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> => {
  try {
    const where = metadataUrl ? { resourceMetadataUrl: metadataUrl } : {}
    return await sdk.discoverOAuthProtectedResourceMetadata(server, where, fetch)
  } catch (error) {
    // An address that may not be asked, or a host that does not answer, is told; a server without such a document is not odd.
    if (isGatewayError(error)) throw error
    return undefined
  }
}

const chosenServer = (
  resource: OAuthProtectedResourceMetadata | undefined,
  server: URL,
  issuer: string | undefined,
): string => {
  const named = resource?.authorization_servers ?? []
  if (named.length === 0) return issuer ?? new URL('/', server).href
  if (issuer === undefined) return named[0]!
  const wanted = named.find((each) => each.replace(/\/$/, '') === issuer.replace(/\/$/, ''))
  if (wanted !== undefined) return wanted
  throw unusable(`${server.origin} names ${placeOf(named[0]!)} as its authorization server, not the configured issuer.`)
}

// A token for somebody else's resource could be used there by whoever runs this server (RFC 9728 §7.3).
const checkedResource = (sdk: Sdk, server: URL, { resource }: OAuthProtectedResourceMetadata): string => {
  const requestedResource = sdk.resourceUrlFromServerUrl(server)
  if (sdk.checkResourceAllowed({ requestedResource, configuredResource: resource })) return resource
  throw unusable(`${server.origin} publishes metadata for another resource than itself.`)
}

/** The refusal of what a server or its authorization server publishes. */
export const unusable = (why: string): GatewayError =>
  new GatewayError('SOURCE_INVALID', `Signing in is not possible: ${why} Ask whoever runs it.`, { notSent: true })

/** A place without whatever its path or query may hold. */
export const placeOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'its authorization server')

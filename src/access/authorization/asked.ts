import { tokenScopes } from '../../model/role.js'
import { type OAuthClient, redirectOf } from './client.js'
import type { Addresses, ServedEndpoint } from './endpoints.js'
import type { Redirect } from './redirects.js'
import { OAuthRefusal } from './refusal.js'

/** What a client asks for, once it is known to be one of ours to answer. */
export interface AskedAccess {
  readonly client: OAuthClient
  readonly redirect: Redirect
  readonly state: string | undefined
  readonly challenge: string
  readonly endpoint: ServedEndpoint
  readonly scope: string
}

/** How clients are found: by registration or by document. */
export type FindClient = (id: string, redirect: string | undefined) => Promise<OAuthClient>

/** Where an error belongs once it is known who asked and where to go back to. Before that it stays on our own page. */
export interface ReturnPath {
  readonly redirect: string
  readonly state: string | undefined
}

/** A refusal that may be told to the client, since it named an address of its own. */
export class ToldToClient extends Error {
  override readonly name = 'ToldToClient'

  constructor(
    readonly path: ReturnPath,
    readonly refusal: OAuthRefusal,
  ) {
    super(refusal.message)
  }
}

const longestState = 4096

export const defaultScope = 'mcp:call'
/** Words of OpenID that some clients will not do without; they give nothing but one's own name. */
export const personScopes: readonly string[] = ['openid', 'profile', 'email']

/** Reads a request to `/authorize`. Throws an `OAuthRefusal` for our own page, a `ToldToClient` for the client. */
export const readAsked = async (
  query: URLSearchParams,
  addresses: Addresses,
  find: FindClient,
): Promise<AskedAccess> => {
  const id = once(query, 'client_id')
  if (id === undefined) throw new OAuthRefusal('invalid_request', 'client_id is missing, or was given twice.')
  const wanted = once(query, 'redirect_uri')
  const client = await find(id, wanted)
  const redirect = wanted === undefined ? onlyOne(client) : redirectOf(client, wanted)
  if (!redirect || (wanted === undefined && query.has('redirect_uri')))
    throw new OAuthRefusal('invalid_request', 'redirect_uri is not one that this client has named.')
  const state = once(query, 'state')
  const path = {
    redirect: redirect.text,
    state: state !== undefined && state.length <= longestState ? state : undefined,
  }
  try {
    return { client, redirect, state: path.state, ...readGrant(query, addresses) }
  } catch (error) {
    throw error instanceof OAuthRefusal ? new ToldToClient(path, error) : error
  }
}

const readGrant = (
  query: URLSearchParams,
  addresses: Addresses,
): Pick<AskedAccess, 'challenge' | 'endpoint' | 'scope'> => {
  for (const name of new Set(query.keys()))
    if (query.getAll(name).length > 1)
      throw name === 'resource'
        ? new OAuthRefusal('invalid_target', 'One resource at a time: a token is for one endpoint.')
        : new OAuthRefusal('invalid_request', 'A parameter was given twice.')
  if ((once(query, 'state')?.length ?? 0) > longestState)
    throw new OAuthRefusal('invalid_request', 'state is too long.')
  if (query.has('request') || query.has('request_uri'))
    throw new OAuthRefusal('invalid_request', 'Requests as objects are not taken.')
  if (query.get('response_type') !== 'code')
    throw new OAuthRefusal('unsupported_response_type', 'response_type must be code.')
  if ((query.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthRefusal('invalid_request', 'response_mode must be query.')
  const challenge = once(query, 'code_challenge')
  if (
    query.get('code_challenge_method') !== 'S256' ||
    challenge === undefined ||
    !/^[A-Za-z0-9_-]{43}$/.test(challenge)
  )
    throw new OAuthRefusal('invalid_request', 'PKCE is needed: code_challenge with code_challenge_method S256.')
  const endpoint = addresses.endpointOf(once(query, 'resource'))
  if (!endpoint) throw new OAuthRefusal('invalid_target', 'resource is not an endpoint of this server.')
  return { challenge, endpoint, scope: scopeOf(once(query, 'scope')) }
}

/** Words that we do not know are left out, as RFC 6749 allows; nothing left is taken for nothing said. */
export const scopeOf = (asked: string | undefined): string => {
  const words = new Set((asked ?? '').slice(0, 4096).split(' '))
  const ours = tokenScopes.filter((scope) => words.has(scope))
  const person = personScopes.filter((scope) => words.has(scope))
  return [...(ours.length === 0 ? [defaultScope] : ours), ...person].join(' ')
}

/** A parameter that is there once; an empty one counts as left out. */
export const once = (fields: URLSearchParams, name: string): string | undefined => {
  const [value, ...more] = fields.getAll(name)
  return value === undefined || value === '' || more.length > 0 ? undefined : value
}

// Left out where there is only one it could be; on loopback its port would be missing.
const onlyOne = ({ redirects }: OAuthClient): Redirect | undefined =>
  redirects.length === 1 && redirects[0]!.kind !== 'loopback' ? redirects[0] : undefined

import { isRecord, type JsonObject } from '../../model/json.js'
import type { Seal } from '../../model/seal.js'
import { clientOf, type OAuthClient, registrationPrefix, shownName } from './client.js'
import { parseRedirect, type Redirect } from './redirects.js'
import { OAuthRefusal } from './refusal.js'

const mostRedirects = 16
const longestId = 8192

/** Clients that register themselves (RFC 7591). Nothing is stored: the id is the registration, sealed. */
export interface Registrations {
  register(metadata: unknown, now: number): JsonObject
  /** Undefined for an id that we did not give. */
  find(id: string): OAuthClient | undefined
}

export const createRegistrations = (seal: Seal): Registrations => ({
  register: (metadata, now) => {
    const { name, redirects } = registrationOf(metadata)
    const id = `${registrationPrefix}${seal.close({ n: name, r: redirects.map(({ text }) => text) })}`
    if (id.length > longestId) throw invalid('The redirect_uris are too long.')
    return {
      client_id: id,
      client_id_issued_at: Math.floor(now / 1000),
      client_name: name,
      redirect_uris: redirects.map(({ text }) => text),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: redirects.every(({ kind }) => kind === 'site') ? 'web' : 'native',
    }
  },
  find: (id) => {
    if (!id.startsWith(registrationPrefix) || id.length > longestId) return undefined
    const content = seal.open(id.slice(registrationPrefix.length))
    if (!content || typeof content.n !== 'string' || !Array.isArray(content.r)) return undefined
    // Judged anew: what was taken once may be refused by now.
    const redirects = content.r.map(parseRedirect).filter((each): each is Redirect => each !== undefined)
    return redirects.length === 0 ? undefined : clientOf({ id, name: content.n, home: undefined, redirects })
  },
})

const registrationOf = (metadata: unknown): { readonly name: string; readonly redirects: readonly Redirect[] } => {
  if (!isRecord(metadata)) throw invalid('The registration must be a JSON object.')
  const { redirect_uris: asked, client_name: name, grant_types: grants, response_types: responses } = metadata
  if (!Array.isArray(asked) || asked.length === 0 || asked.length > mostRedirects)
    throw new OAuthRefusal('invalid_redirect_uri', `redirect_uris must hold 1 to ${mostRedirects} addresses.`)
  const redirects = asked.map(parseRedirect)
  const wrong = redirects.indexOf(undefined)
  if (wrong >= 0)
    throw new OAuthRefusal(
      'invalid_redirect_uri',
      `redirect_uris[${wrong}] is not taken: https, http on localhost, 127.0.0.1 or [::1], or cursor:, vscode:, vscode-insiders:, windsurf:, without user info or fragment.`,
    )
  if (!allows(grants, 'authorization_code')) throw invalid('grant_types must hold authorization_code.')
  if (!allows(responses, 'code')) throw invalid('response_types must hold code.')
  return { name: shownName(name) ?? 'MCP client', redirects: redirects as readonly Redirect[] }
}

const allows = (given: unknown, wanted: string): boolean =>
  given === undefined || (Array.isArray(given) && given.includes(wanted))

const invalid = (message: string): OAuthRefusal => new OAuthRefusal('invalid_client_metadata', message)

import type { FetchLike } from '@modelcontextprotocol/client'
import { discover } from './discover.js'
import { fetchRulesFor, withOAuthFetch } from './oauth-fetch.js'
import type { SignInSurroundings } from './options.js'
import type { KeptClient, KeptSignIn } from './shelf.js'

/** What became of the tokens at the far side: ended there, not to be ended there, or nobody knows. */
export type Revoked = 'revoked' | 'not-offered' | 'failed'

/**
 * Ends tokens where they were issued (RFC 7009): the refresh token, with which most servers end what came of it, then the
 * access token. Never rejects: whoever signs out is signed out here in any case, and is told what is left there.
 */
export const revokeTokens = async (
  kept: KeptSignIn,
  issuer: string | undefined,
  { logger }: Pick<SignInSurroundings, 'logger'>,
): Promise<Revoked> => {
  const { tokens, source, server: href, metadataUrl } = kept
  if (!tokens) return 'not-offered'
  const server = new URL(href)
  try {
    return await withOAuthFetch(fetchRulesFor(server, issuer), async (fetch) => {
      const challenge = { metadataUrl: metadataUrl === undefined ? undefined : new URL(metadataUrl) }
      const found = await discover(server, challenge, issuer, fetch)
      const endpoint = (found?.metadata as { readonly revocation_endpoint?: unknown } | undefined)?.revocation_endpoint
      // Tokens go back to who issued them and to nobody else.
      if (!found || found.issuer !== kept.issuer || typeof endpoint !== 'string') return 'not-offered'
      const ends = [
        tokens.refreshToken === undefined ||
          (await revoke(fetch, endpoint, kept.client, 'refresh_token', tokens.refreshToken)),
        await revoke(fetch, endpoint, kept.client, 'access_token', tokens.accessToken),
      ]
      // A server may know how to end one kind only; the one that renews is what counts.
      return (tokens.refreshToken === undefined ? ends[1] : ends[0]) ? 'revoked' : 'failed'
    })
  } catch {
    logger.log('warn', `The sign-in of '${source}' is forgotten here, but could not be ended at its server.`, {
      source,
    })
    return 'failed'
  }
}

const revoke = async (
  fetch: FetchLike,
  endpoint: string,
  client: KeptClient | undefined,
  hint: 'refresh_token' | 'access_token',
  token: string,
): Promise<boolean> => {
  const body = new URLSearchParams({ token, token_type_hint: hint })
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (client?.secret !== undefined && client.method !== 'client_secret_post')
    headers.authorization = `Basic ${Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`).toString('base64')}`
  else if (client) {
    body.set('client_id', client.id)
    if (client.secret !== undefined) body.set('client_secret', client.secret)
  }
  const answer = await fetch(endpoint, { method: 'POST', headers, body: body.toString() })
  return answer.status === 200 || answer.status === 204
}

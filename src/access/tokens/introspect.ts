import { askIssuer, away, type IssuerFacts, type IssuerFetch } from './discovery.js'

export interface Introspection {
  readonly clientId: string
  readonly clientSecret: string
  readonly cacheSeconds: number
}

/** Asks the issuer whether a token of its own still counts (RFC 7662). ISSUER_UNAVAILABLE where it does not say. */
export const isActive = async (
  token: string,
  { issuer, facts, fetch, introspect }: IntrospectionRound,
): Promise<boolean> => {
  const { introspectionEndpoint } = facts
  if (introspectionEndpoint === undefined) throw away(issuer, 'it offers no introspection', 'NO_KEYS')
  const { status, body } = await askIssuer(issuer, new URL(introspectionEndpoint), fetch, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${form(introspect.clientId)}:${form(introspect.clientSecret)}`).toString('base64')}`,
    },
    body: `token=${encodeURIComponent(token)}&token_type_hint=access_token`,
  })
  if (status === 401 || status === 403)
    throw away(issuer, 'it refuses our id or secret (auth.tokens[].introspect)', 'STATUS')
  if (status !== 200 || typeof body.active !== 'boolean')
    throw away(issuer, `its introspection answers ${status}`, 'STATUS')
  return body.active
}

interface IntrospectionRound {
  readonly issuer: string
  readonly facts: IssuerFacts
  readonly fetch: IssuerFetch
  readonly introspect: Introspection
}

// RFC 6749 §2.3.1: both are written as in a form before they are joined.
const form = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

import { GatewayError, isGatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'

/** The provider says that they may no longer: a refresh token that is void, or a person who would have to be asked again. */
export const isRefusal = (error: unknown): boolean => {
  const said = saidBy(error)
  return said !== undefined && overForGood.has(said)
}

const overForGood = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required'])

/**
 * What went wrong, with the setting it hangs on and a way out. Nothing of the library's own error goes along: its cause
 * holds the provider's answers, tokens included.
 */
export const toSignInError = (error: unknown, { host }: URL): GatewayError => {
  const said = saidBy(error)
  const status = isRecord(error) || error instanceof Error ? (error as { readonly status?: unknown }).status : undefined
  if (said === 'invalid_client' || said === 'unauthorized_client' || isChallenge(error))
    return failed(
      `The identity provider '${host}' does not take our secret. Check auth.people.clientSecret and auth.people.clientId.`,
      { host, setting: 'auth.people.clientSecret', error: said },
    )
  if (typeof status === 'number' && status >= 500) return away(host, `it answers with ${status}`)
  if (said === 'access_denied')
    return failed(`The identity provider '${host}' did not let this person in (access_denied).`, { host, error: said })
  if (said === 'invalid_grant')
    return failed(`The sign-in was too slow or was finished before (invalid_grant). Begin again.`, {
      host,
      error: said,
    })
  if (said === 'invalid_scope')
    return failed(`The identity provider '${host}' does not know one of auth.people.scopes (invalid_scope).`, {
      ...{ host, setting: 'auth.people.scopes', error: said },
    })
  if (said !== undefined)
    return failed(`The identity provider '${host}' refused the sign-in (${said}).`, { host, error: said })
  const code = (error as { readonly code?: unknown } | undefined)?.code
  if (typeof code === 'string' && code.startsWith('OAUTH_')) return ofLibrary(error, code, host)
  if (isGatewayError(error)) return away(host, error.notSent ? error.message : 'it does not answer')
  return away(host, 'it does not answer')
}

const ofLibrary = (error: unknown, code: string, host: string): GatewayError => {
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return failed(
      `The clocks differ: what the identity provider '${host}' says is not good at this time of ours. Set the clock of this machine, or of the provider.`,
      { host },
    )
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return failed(
      `'${host}' calls itself by another name than auth.people.issuer. Write it there letter by letter as its own document does (issuer).`,
      { host, setting: 'auth.people.issuer' },
    )
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' || code === 'OAUTH_KEY_SELECTION_FAILED')
    return failed(
      `What the identity provider '${host}' says was not made for this sign-in${claimOf(error)}. Begin again.`,
      {
        host,
      },
    )
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON' || code === 'OAUTH_PARSE_ERROR')
    return away(host, 'it does not answer as an identity provider does')
  return failed(`The identity provider '${host}' answered with something that cannot be taken. Begin again.`, { host })
}

const claimOf = (error: unknown): string => {
  const { cause } = error as { readonly cause?: unknown }
  const claim = isRecord(cause) ? cause.claim : undefined
  return typeof claim === 'string' && /^[a-z_]{1,32}$/.test(claim) ? ` (${claim})` : ''
}

/** The error code that the provider named, if it is one word; its description is a stranger's text. */
const saidBy = (error: unknown): string | undefined => {
  const said = error instanceof Error ? (error as { readonly error?: unknown }).error : undefined
  return typeof said === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(said) ? said : undefined
}

const isChallenge = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly code?: unknown }).code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'

const failed = (message: string, details: Readonly<Record<string, unknown>>): GatewayError =>
  new GatewayError('SIGN_IN_FAILED', message, { details })

const away = (host: string, why: string): GatewayError =>
  new GatewayError(
    'ISSUER_UNAVAILABLE',
    `The identity provider '${host}' cannot be asked: ${why}. Try again in a moment; if it stays so, check auth.people.issuer.`,
    { details: { host, setting: 'auth.people.issuer' }, notSent: true },
  )

import { GatewayError, isGatewayError } from '../../errors.js'
import { loadSdk } from './sdk.js'

/**
 * Whatever went wrong at an authorization server, in words that hold nothing it sent: its texts may echo a token, and in
 * a mix-up they are an attacker's (RFC 9207 §2.4).
 */
export const toSignInError = async (error: unknown, place: string): Promise<GatewayError> => {
  if (isGatewayError(error)) return error
  const sdk = await loadSdk()
  if (sdk.OAuthError.isInstance(error))
    return failed(`${place} refused it (${plainCode(error.code)}).`, { oauth: plainCode(error.code) })
  if (sdk.IssuerMismatchError.isInstance(error))
    return failed(`the answer names another issuer than ${place}, so it may not be from there.`)
  if (sdk.InsecureTokenEndpointError.isInstance(error)) return failed(`${place} takes tokens without https.`)
  if (sdk.RegistrationRejectedError.isInstance(error))
    return failed(
      `${place} does not register us (HTTP ${error.status}). Register a client there and set auth.clientId.`,
    )
  if (error instanceof Error && error.name === 'ZodError') return failed(`${place} sent something that is not valid.`)
  return failed(`${place} did not answer as OAuth wants it.`)
}

const failed = (why: string, details: Readonly<Record<string, unknown>> = {}): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `The sign-in did not work: ${why}`, { details, notSent: true })

/** The code of an OAuth error, if it is one: words of the registry are lower case and short. */
export const plainCode = (code: unknown): string =>
  typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : 'an unknown error'

/** Why this OAuth error means that what we hold is worth nothing any more. */
export const spentBy = (error: unknown): 'tokens' | 'client' | undefined => {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  if (code === 'invalid_grant') return 'tokens'
  return code === 'invalid_client' || code === 'unauthorized_client' ? 'client' : undefined
}

/**
 * The refusal that only a person can end, with what to type. A lack of rights concerns one tool: told as such, it does not
 * count against the whole source.
 */
export const wantsSignIn = (source: string, why: string, status: 401 | 403): GatewayError =>
  new GatewayError(
    status === 403 ? 'ACCESS_DENIED' : 'SOURCE_UNAVAILABLE',
    `${why} Run \`pegboard auth ${source}\`, or press "Sign in" on its page in the console.`,
    { details: { status, source, signIn: true }, notSent: true },
  )

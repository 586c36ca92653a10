import { GatewayError } from '../errors.js'
import { defined } from '../model/json.js'

/** How the one who calls gets what is missing: in a browser, by pasting a key, or by coming as somebody. */
export type SignInKind = 'oauth' | 'key' | 'identity'

/** The page on which people sign in for themselves; undefined where no browser reaches us. */
export type SignInPage = () => string | undefined

/**
 * The source is used in the name of whoever calls, and there is nothing of theirs to use. It names the page where that is
 * mended, whichever way the call came; with `identity` none helps: the caller has to come as a person, or has to sign in at
 * the gateway again.
 */
export const signInRequired = (source: string, kind: SignInKind, why: string, page?: SignInPage): GatewayError => {
  const url = page?.()
  const told = url === undefined ? why : `${why} Sign in here, then call again: ${url}`
  return new GatewayError('SIGN_IN_REQUIRED', told, { details: defined({ source, kind, url }), notSent: true })
}

/** Nobody vouches for this caller, and nobody's credentials are lent to anybody. */
export const nobodyKnown = (source: string): GatewayError =>
  signInRequired(
    source,
    'identity',
    `'${source}' is used in the name of whoever calls, and this caller is nobody in particular. Sign in at the gateway, or use a key that has an owner.`,
  )

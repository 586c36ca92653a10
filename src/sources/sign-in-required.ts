import { GatewayError } from '../errors.js'

/** How the one who calls gets what is missing: in a browser, by pasting a key, or by coming as somebody. */
export type SignInKind = 'oauth' | 'key' | 'identity'

/**
 * The source is used in the name of whoever calls, and there is nothing of theirs to use. Whoever shows it adds where to go;
 * with `identity` no link helps: the caller has to come as a person, or has to sign in at the gateway again.
 */
export const signInRequired = (source: string, kind: SignInKind, why: string): GatewayError =>
  new GatewayError('SIGN_IN_REQUIRED', why, { details: { source, kind }, notSent: true })

/** Nobody vouches for this caller, and nobody's credentials are lent to anybody. */
export const nobodyKnown = (source: string): GatewayError =>
  signInRequired(
    source,
    'identity',
    `'${source}' is used in the name of whoever calls, and this caller is nobody in particular. Sign in at the gateway, or use a key that has an owner.`,
  )

import type { Identity } from '../model/caller.js'

/** Somebody came back from the identity provider, or was asked about again. */
export interface SignedIn {
  readonly identity: Identity
  /** What the provider gave us to ask again with; kept sealed. */
  readonly refreshToken?: string | undefined
  /** For an exchange at the provider itself; kept sealed, shown to nobody else. */
  readonly accessToken?: string | undefined
  readonly idToken?: string | undefined
  /** Which sign-in at the provider this is, where it says so; see `providerSessionId`. */
  readonly providerSession?: string | undefined
  /** When `accessToken` ends, milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
}

/** What one sign-in is bound to. All of it is made by whoever begins it. */
export interface SignInRound {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/**
 * The team's identity provider, to which we are one ordinary confidential OIDC client. Whatever goes wrong is a GatewayError
 * in words for the person in front of the browser: ISSUER_UNAVAILABLE where it is away, SIGN_IN_FAILED where it refused or
 * said something that we cannot take (a missing claim is named).
 */
export interface IdentityProvider {
  readonly issuer: string
  /** Where the browser goes. */
  begin(round: SignInRound): Promise<URL>
  /** What the browser brought back, checked: `iss` first, then state, code, nonce and the claims. */
  finish(query: URLSearchParams, round: SignInRound): Promise<SignedIn>
  /** Whether they are still what they were: news, `ended` where the provider says no, `away` where it cannot be asked. */
  again(refreshToken: string): Promise<SignedIn | 'ended' | 'away'>
}

import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import type { SignInPage } from '../sign-in-required.js'

/** How a source signs in where it is not by a fixed header. All secrets are the operator's and go to one issuer only. */
export type SourceAuth = OAuthSignIn | ClientCredentialsAuth | PrivateKeyJwtAuth | PastedKeyAuth | ExchangeAuth

/** How each caller signs in at a source for themselves. */
export type CallerAuth = PersonalOAuth | PastedKeyAuth | ExchangeAuth

interface CommonAuth {
  /** What to ask for, instead of what the server proposes. */
  readonly scopes?: readonly string[] | undefined
  /** The authorization server that may have our secrets. Default: the first one that the source names, from then on. */
  readonly issuer?: string | undefined
}

/** A person signs in, in a browser; the default where a server answers 401 and publishes OAuth metadata. */
export interface OAuthSignIn extends CommonAuth {
  readonly type: 'oauth'
  /** A client that was registered there by hand. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** An https URL that describes us, used as our id where the authorization server takes such. */
  readonly clientMetadataUrl?: string | undefined
  /** Everybody signs in for themselves. Default: one sign-in for all. */
  readonly per?: 'caller' | undefined
  readonly listAs?: ListAs | undefined
}

/** Everybody signs in for themselves, in a browser. */
export interface PersonalOAuth extends OAuthSignIn {
  readonly per: 'caller'
}

/** Everybody pastes a key of their own. */
export interface PastedKeyAuth {
  readonly type: 'key'
  readonly per: 'caller'
  /** Default: `Authorization`. */
  readonly header?: string | undefined
  /** What stands before the key there. */
  readonly prefix?: string | undefined
  /** Where people find theirs. */
  readonly help?: string | undefined
  readonly listAs?: ListAs | undefined
}

/** The identity provider trades the caller's sign-in for a token of the server. */
export interface ExchangeAuth {
  readonly type: 'exchange'
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly audience: string
  /** Default: `token-exchange`. */
  readonly grant?: 'token-exchange' | 'id-jag' | undefined
  readonly scopes?: readonly string[] | undefined
  /** For `id-jag`: the server's authorization server, and who we are there. */
  readonly server?:
    | { readonly issuer: string; readonly clientId: string; readonly clientSecret?: string | undefined }
    | undefined
  readonly listAs?: ListAs | undefined
}

/** How the gateway itself reads the lists of a source at which everybody signs in for themselves. */
export type ListAs = GatewayKey | ClientCredentialsAuth

export interface GatewayKey {
  readonly type: 'key'
  readonly header?: string | undefined
  readonly prefix?: string | undefined
  readonly key: string
}

export const isCallerAuth = (auth: { readonly type: string; readonly per?: unknown } | undefined): auth is CallerAuth =>
  auth !== undefined && (auth.per === 'caller' || auth.type === 'exchange')

/** The gateway signs in for itself, with a secret. */
export interface ClientCredentialsAuth extends CommonAuth {
  readonly type: 'client-credentials'
  readonly clientId: string
  readonly clientSecret: string
}

/** The gateway signs in for itself, with a key that never leaves it. */
export interface PrivateKeyJwtAuth extends CommonAuth {
  readonly type: 'private-key-jwt'
  readonly clientId: string
  /** PKCS#8, in PEM. */
  readonly privateKey: string
  /** Default: ES256. */
  readonly algorithm?: string | undefined
}

/** What the sign-ins of all sources have in common. */
export interface SignInSurroundings {
  readonly clock: Clock
  readonly logger: Logger
  /** Told every token, so that whatever shows text can leave it out. */
  readonly onSecret: (secret: string) => void
  /** Told what became of a sign-in without anybody asking for it. */
  readonly onCredential?: ((news: CredentialNews) => void) | undefined
  /** Where people sign in for themselves. */
  readonly page?: SignInPage | undefined
  /**
   * Runs `work` while nobody else runs anything under this name, in any process that shares the sign-ins; rejects where that
   * cannot be had. Undefined where nobody else is: a server that gives out a new refresh token each time takes two at once
   * for a theft.
   */
  readonly exclusively?: Exclusively | undefined
}

/** Renewed, had for a sign-in at the gateway, worth nothing any more, or ended with whoever had it. */
export interface CredentialNews {
  readonly action: 'refresh' | 'exchange' | 'lose' | 'end'
  readonly source: string
  /** The id of who has it; undefined for the one of all. */
  readonly caller?: string | undefined
  /** Of one that was ended: what became of it at the far side. */
  readonly revoked?: string | undefined
  /** Of one that was exchanged for: by which grant. */
  readonly grant?: 'token-exchange' | 'id-jag' | undefined
  /** The code of why it could not be had. */
  readonly failed?: string | undefined
}

export type Exclusively = <T>(name: string, work: () => Promise<T>) => Promise<T>

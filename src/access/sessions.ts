import type { Identity } from '../model/caller.js'

/** Of a person's client (an MCP client that was let in), or of their browser at the console. */
export type SessionKind = 'client' | 'console'

/** One sign-in that lasts. Whoever it is of comes from the issuer, or from the key that was pasted. */
export interface SignInSession {
  readonly id: string
  readonly kind: SessionKind
  /** Undefined where a key was pasted. */
  readonly identity?: Identity | undefined
  /** Which sign-in at the provider it began with, where that is known; see `providerSessionId`. */
  readonly providerSession?: string | undefined
  /** The key that was pasted; the session ends with it. */
  readonly keyId?: string | undefined
  /** The client that was let in: its id, and what it calls itself. */
  readonly client?: { readonly id: string; readonly name: string } | undefined
  /** The endpoint its tokens are for. */
  readonly resource?: string | undefined
  readonly scope?: string | undefined
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly lastUsedAt: number
  /** Whatever happens, it is over then. */
  readonly endsAt: number
  /** When the identity provider was last asked. */
  readonly checkedAt: number
  /** Counts its refresh tokens: 0 until the code was traded, then the number of the one that is good. */
  readonly generation: number
  /** When its refresh token was last renewed. */
  readonly renewedAt?: number | undefined
  /** The refresh token before it was shown once more since; shown again, the session ends. */
  readonly shownAgain?: boolean | undefined
  /** The identity provider gave something to ask it again with. */
  readonly isAskable?: boolean | undefined
  /** Somebody is asking it right now, and is given until then. */
  readonly checkingUntil?: number | undefined
}

export type NewSession = Omit<
  SignInSession,
  | 'id'
  | 'createdAt'
  | 'lastUsedAt'
  | 'checkedAt'
  | 'generation'
  | 'renewedAt'
  | 'shownAgain'
  | 'isAskable'
  | 'checkingUntil'
> & {
  /** The provider's tokens; kept sealed and apart. */
  readonly secrets?: SessionSecrets | undefined
}

/** What the identity provider gave us for this session. */
export interface SessionSecrets {
  readonly refreshToken?: string | undefined
  readonly accessToken?: string | undefined
  readonly idToken?: string | undefined
  readonly expiresAt?: number | undefined
}

export type SessionEnd = 'signed-out' | 'ended' | 'expired' | 'reuse' | 'provider' | 'key' | 'person' | 'role'

/** Who is signed in. Rows that all processes share, each held in memory: looking one up waits for nothing. */
export interface SignInSessions extends AsyncDisposable {
  begin(session: NewSession): Promise<SignInSession>
  find(id: string): SignInSession | undefined
  /**
   * Like `find`, but one that is not known is looked for where sessions are kept: another replica may have begun it. Where
   * somebody has not been here for long, the identity provider is asked first.
   */
  findFresh(id: string): SignInSession | undefined | Promise<SignInSession | undefined>
  /** Noted behind the request, now and then. */
  touch(id: string): void
  /** With no other write in between; undefined where it is gone or `change` says so. */
  update(
    id: string,
    change: (session: SignInSession) => SignInSession | undefined,
    secrets?: SessionSecrets,
  ): Promise<SignInSession | undefined>
  secretsOf(id: string): Promise<SessionSecrets | undefined>
  /** False where there was none. */
  end(id: string, why: SessionEnd): Promise<boolean>
  list(): readonly SignInSession[]
  /** Told of every session that ended, here or elsewhere. */
  onEnd(listener: (session: SignInSession, why: SessionEnd) => void): () => void
}

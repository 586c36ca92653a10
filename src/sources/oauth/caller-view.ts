import type { CallerAuth } from './options.js'
import type { Revoked } from './revoke.js'

/** One source at which callers sign in for themselves, as one of them sees it. */
export interface CallerSignIn {
  readonly source: string
  readonly type: CallerAuth['type']
  readonly state: 'signed-in' | 'not-signed-in' | 'by-itself'
  /** Where to sign in, without whatever its path may hold. */
  readonly server: string
  readonly scope?: string | undefined
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined
  readonly expiresAt?: number | undefined
  /** For a pasted key: where one finds it. */
  readonly help?: string | undefined
}

/** The same without anybody's name, for operators. */
export interface PlaceOfPeople {
  readonly source: string
  readonly type: CallerAuth['type']
  /** Undefined where nobody has to sign in. */
  readonly people?: number | undefined
}

export interface SignedOut {
  /** False where there was nothing. */
  readonly signedOut: boolean
  /** What became of it at the far side; undefined where nothing was there to end. */
  readonly revoked?: Revoked | undefined
}

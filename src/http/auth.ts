import type { IncomingMessage } from 'node:http'
import type { Caller, Right } from '../model/caller.js'

export interface AuthRefusal {
  readonly status: 401 | 403 | 429 | 503
  /** Default: that of the status. */
  readonly code?: 'SESSION_OVER' | undefined
  /** What happened and what to try; never a part of the credential. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A good credential whose time is over: nobody guesses, and their address is not counted. Default: false. */
  readonly isExpired?: boolean | undefined
}

export type AuthResult =
  | {
      readonly caller: Caller
      /** No credential was shown. A missing right is then answered 401 (show one) instead of 403 (it will not do). */
      readonly anonymous?: boolean | undefined
      /** What their role gives them, where a token's scopes may have taken some of it away. Default: what they have. */
      readonly granted?: readonly Right[] | undefined
      /** What the caller should know of the way it came, in plain ASCII. */
      readonly warning?: string | undefined
    }
  | { readonly refused: AuthRefusal }

/**
 * Who asks, from the request's headers and peer address, asked after Host and Origin passed. Answer without a promise
 * where that is possible: it is on the path of every request.
 */
export type Authenticate = (request: IncomingMessage) => AuthResult | Promise<AuthResult>

/** Whoever passes without being asked: no rights at all. */
export const nobody: Caller = Object.freeze({ id: 'anonymous', kind: 'anonymous', rights: Object.freeze([]) })

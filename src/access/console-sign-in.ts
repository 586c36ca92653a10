import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError } from '../errors.js'
import { cookieOf, setCookie } from '../http/cookies.js'
import type { BrowserDoor } from '../http/same-origin.js'
import type { Clock } from '../model/clock.js'
import type { Seal } from '../model/seal.js'
import type { IdentityProvider, SignedIn, SignInRound } from './identity-provider.js'

export interface ConsoleSignInOptions {
  readonly provider: Pick<IdentityProvider, 'begin' | 'finish'>
  /** Where the provider sends the browser back to. */
  readonly redirectUri: () => string
  readonly door: BrowserDoor
  readonly seal: Seal
  readonly clock: Clock
}

/** A browser's way to the identity provider and back. */
export interface ConsoleSignIn {
  /** Where the browser goes; `next` is told again when it is back. */
  begin(request: IncomingMessage, response: ServerResponse, next: string): Promise<URL>
  /** Who came back. Throws a GatewayError where it is not the browser that left, or the provider says no. */
  finish(
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): Promise<SignedIn & { readonly next: string }>
}

const cookieName = 'pegboard-sign-in'
const lastsMs = 10 * 60_000

/**
 * All that is known of a sign-in on its way is in a sealed cookie of the browser that began it: nothing waits here, any replica
 * takes it up again, and a link sent to somebody else leads nowhere.
 */
export const createConsoleSignIn = (options: ConsoleSignInOptions): ConsoleSignIn => {
  const { door, seal, clock } = options
  const put = (request: IncomingMessage, response: ServerResponse, value: string, maxAgeSeconds: number): void => {
    const name = door.cookieName(request, cookieName)
    response.appendHeader('Set-Cookie', setCookie(name, value, { secure: door.isSecure(request), maxAgeSeconds }))
  }
  return {
    begin: async (request, response, next) => {
      const round: SignInRound = {
        redirectUri: options.redirectUri(),
        state: random(),
        nonce: random(),
        codeVerifier: random(),
      }
      const url = await options.provider.begin(round)
      put(request, response, seal.close({ ...round, next, until: clock.wall() + lastsMs }), lastsMs / 1000)
      return url
    },
    finish: async (request, response, query) => {
      const begun = seal.open(cookieOf(request.headers.cookie, door.cookieName(request, cookieName)))
      // Once, whatever comes of it.
      put(request, response, '', 0)
      const [state, ...more] = query.getAll('state')
      if (!begun || state === undefined || more.length > 0 || !equal(state, String(begun.state)))
        throw new GatewayError(
          'SIGN_IN_FAILED',
          'This sign-in was not begun in this browser. Open the console and sign in.',
        )
      if (Number(begun.until) <= clock.wall())
        throw new GatewayError('SIGN_IN_FAILED', 'This sign-in took longer than ten minutes. Begin again.')
      const { redirectUri, nonce, codeVerifier, next } = begun
      const round = { redirectUri, state, nonce, codeVerifier } as SignInRound
      return { ...(await options.provider.finish(query, round)), next: String(next) }
    },
  }
}

const random = (): string => randomBytes(32).toString('base64url')

const equal = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hash('sha256', one)), Buffer.from(hash('sha256', other)))

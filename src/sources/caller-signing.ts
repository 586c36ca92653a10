import type { Credentials } from '../mcp/client/signed-transport.js'
import type { Caller, Identity } from '../model/caller.js'
import { headersFor, namesCaller } from './caller-headers.js'
import { nobodyKnown } from './sign-in-required.js'

/** How requests in one caller's name are signed. */
export interface CallerSigning {
  /** The person or machine in whose name; of nobody else is anything in it. */
  readonly identity: Identity
  /** Tells apart what one link cannot carry: other headers, other claims. */
  readonly mark: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: Credentials | undefined
}

export type SignInNews = 'signed-in' | 'signed-out'

/** What each caller has at one source. */
export interface CallerCredentials {
  /** Of this caller and no other; rejects with SIGN_IN_REQUIRED where there is nothing of theirs. */
  of(caller: Caller, identity: Identity): Promise<Credentials>
  /** For our own requests: lists and health checks. */
  readonly own: OwnCredentials
  /** Told of whom something was put there or taken away, so that links which were signed by it end. */
  onNews(listener: (identity: string, news: SignInNews) => void): () => void
}

/** What signs our own requests at a source that knows nobody but its callers. */
export interface OwnCredentials extends Credentials {
  /** Reads the lists as this person from now on, if nobody else and nothing else does. */
  lend(identity: string, credentials: Credentials): void
  /** Whoever lent it takes it back; true if this is who did. */
  takeBack(identity: string): boolean
}

/** How a source is told in whose name each request is made. */
export interface SignedByCaller {
  of(caller: Caller): Promise<CallerSigning>
  readonly personal: CallerCredentials | undefined
}

export interface CallerSigningOptions {
  readonly source: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where all callers share one sign-in, and only headers tell them apart. */
  readonly personal: CallerCredentials | undefined
  /** What all callers share. */
  readonly shared: Credentials | undefined
  /** Adds who calls, signed by us, to what the credentials send. */
  readonly assert?: ((identity: Identity, credentials: Credentials | undefined) => Credentials) | undefined
}

/** Undefined for the many sources that do not care who calls. */
export const signedByCaller = (options: CallerSigningOptions): SignedByCaller | undefined => {
  const { source, headers, personal, shared, assert } = options
  const isNamed = namesCaller(headers)
  if (!personal && !isNamed && !assert) return undefined
  return {
    personal,
    of: async (caller) => {
      const { identity } = caller
      // A key that several share, a program, an open door: whoever that is, nobody vouches for it.
      if (!identity) throw nobodyKnown(source)
      const own = isNamed ? headersFor(headers, identity, source) : headers
      const credentials = personal ? await personal.of(caller, identity) : shared
      const { id, name, email, groups } = identity
      return {
        identity,
        mark: JSON.stringify([id, isNamed ? own : 0, assert ? [name, email, groups] : 0]),
        headers: own,
        credentials: assert ? assert(identity, credentials) : credentials,
      }
    },
  }
}

/** What goes with our own requests: nobody is named. */
export const ownHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  namesCaller(headers)
    ? Object.fromEntries(Object.entries(headers).filter(([name, value]) => !namesCaller({ [name]: value })))
    : headers

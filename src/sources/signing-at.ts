import { GatewayError } from '../errors.js'
import type { Credentials } from '../mcp/client/signed-transport.js'
import type { CallerAssertions } from './caller-assertions.js'
import {
  type CallerCredentials,
  type CallerSigningOptions,
  type SignedByCaller,
  signedByCaller,
} from './caller-signing.js'
import type { CallerAuth } from './oauth/options.js'
import type { CallerSignInSource } from './oauth/sign-ins.js'

/** What requests in a caller's name are signed with, where a gateway runs that can. */
export interface SigningSurroundings {
  /** What each caller has at a source at which all of them sign in for themselves. Default: nobody has anything. */
  readonly callersOf?: ((source: CallerSignInSource) => CallerCredentials) | undefined
  readonly assertions?: CallerAssertions | undefined
}

export const callersAt = (
  name: string,
  url: string,
  auth: CallerAuth,
  { callersOf }: SigningSurroundings,
): CallerCredentials => {
  if (callersOf) return callersOf({ name, url, auth })
  throw new GatewayError(
    'SOURCE_INVALID',
    `'${name}' is signed in at by each caller for themselves, which takes a running gateway: pegboard serve`,
  )
}

export const signingAt = (
  source: string,
  url: string,
  { headers, assert }: { readonly headers: Readonly<Record<string, string>>; readonly assert?: boolean | undefined },
  personal: CallerCredentials | undefined,
  shared: Credentials | undefined,
  { assertions }: SigningSurroundings,
): SignedByCaller | undefined =>
  signedByCaller({
    source,
    headers,
    personal,
    shared,
    assert: assert ? assertedBy(assertions, source, url) : undefined,
  })

const assertedBy = (
  assertions: CallerAssertions | undefined,
  source: string,
  url: string,
): CallerSigningOptions['assert'] => {
  if (assertions) return (identity, credentials) => assertions.by(identity, url, credentials)
  throw new GatewayError(
    'SOURCE_INVALID',
    `'${source}' is told who calls by a token of the gateway, which takes a running one: pegboard serve`,
  )
}

import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/schema.js'
import { createChallenge, type DoorChallenge, endpointOf } from '../http/challenge.js'
import { resourceMetadata } from '../http/resource-metadata.js'
import type { Route } from '../http/route.js'
import type { CurrentConfig } from './current.js'
import { publicBase } from './public-address.js'

/** What we are to clients with tokens: endpoints that say of themselves whose tokens they take (RFC 9728). */
export interface ProtectedResource {
  /** Our public address, and the issuer of our own tokens. */
  base(): string
  /** The endpoint that a request is for, as tokens name it. */
  endpointOf(request: IncomingMessage): string
  readonly challenge: DoorChallenge
  readonly routes: readonly Route[]
}

/** Undefined where nobody signs in and no tokens count: then keys do, and nothing is told to strangers. */
export const openResource = (current: CurrentConfig): ProtectedResource | undefined => {
  const { auth, server } = current.atStart
  if (!takesTokens({ auth })) return undefined
  const base = current.reading(['server.publicUrl'], (now) => publicBase(now.server, ''))
  const place = { base, path: server.path }
  return {
    base,
    endpointOf: (request) => endpointOf(place, request),
    challenge: createChallenge(place),
    routes: resourceMetadata({
      ...place,
      authorizationServers: () => [...(auth.people ? [base()] : []), ...auth.tokens.map(({ issuer }) => issuer)],
      name: 'Pegboard',
    }),
  }
}

/** Whether people sign in, or tokens of others count. */
export const takesTokens = ({ auth }: Pick<Config, 'auth'>): boolean =>
  auth.people !== undefined || auth.tokens.length > 0

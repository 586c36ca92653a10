import type { IncomingMessage } from 'node:http'
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

/** Only where people sign in or tokens count: for keys alone there is nothing to tell strangers. */
export const openResource = (current: CurrentConfig): ProtectedResource => {
  const { auth, server } = current.atStart
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

import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/schema.js'
import { peerPath } from '../fleet/peers.js'
import type { HttpHost } from '../http/host.js'
import { certificateNeeded } from '../http/http-error.js'
import type { Access } from './access.js'
import type { CurrentConfig } from './current.js'
import { publicDoor } from './public-address.js'
import type { Local } from './running/local.js'

/** The names and pages that may come in beside our own. */
export const doorOf = ({ server, fleet }: Config) => ({
  allowedHosts: [...server.trustedHosts, ...publicDoor(server).hosts, ...peerHosts(fleet.address)],
  allowedOrigins: [...server.allowedOrigins, ...publicDoor(server).origins],
  localOrigins: server.localOrigins,
})

/** The address by which other replicas ask us names us as well. */
const peerHosts = (address: string | undefined): readonly string[] =>
  address === undefined ? [] : [new URL(address).host]

const liveLimits = [
  'maxBodyBytes',
  'maxBufferedBytes',
  'maxBufferedBytesPerCaller',
  'largeRequestsPerSecond',
  'maxUnreadBytes',
  'maxUnreadBytesPerCaller',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'keepAliveMs',
  'stalledMs',
  'maxConnections',
]

/** What of the door may change while it is open. */
export const followHost = (http: HttpHost, current: CurrentConfig): void => {
  current.follow(
    liveLimits.map((name) => `server.limits.${name}`),
    (now) => http.limit(now.server.limits),
  )
  current.follow(
    ['trustedHosts', 'allowedOrigins', 'localOrigins', 'publicUrl'].map((name) => `server.${name}`),
    (now) => http.trust(doorOf(now)),
  )
}

/** Keeps out who shows no certificate, where everybody must; programs of this user prove themselves by the run record. */
export const guardOf = ({ server }: Config, { certificates }: Access, isProved: Local['isProved']) =>
  server.tls?.clients !== 'required'
    ? undefined
    : (request: IncomingMessage): void => {
        // Replicas prove themselves by a pass, without which nothing below that path opens.
        if (certificates?.isVerified(request) || isProved(request) || request.url?.startsWith(`${peerPath}/`)) return
        throw certificateNeeded()
      }

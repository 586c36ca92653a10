import type { Config } from '../config/schema.js'
import type { HttpHost } from '../http/host.js'
import type { CurrentConfig } from './current.js'
import { publicDoor } from './public-address.js'

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

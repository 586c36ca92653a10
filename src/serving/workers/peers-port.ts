import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/schema.js'
import { peerPath } from '../../fleet/peers.js'
import { createHttpHost, type HttpHostOptions } from '../../http/host.js'
import { HttpError } from '../../http/http-error.js'
import type { Route, UpgradeRoute } from '../../http/route.js'
import { addressForPeers } from '../fleet.js'
import { say } from '../locale.js'

/** Where other replicas reach this one of several processes behind a port; nobody else's business is served there. */
export interface PeersPort {
  readonly url: string
  close(): Promise<void>
}

export interface PeersPortOptions {
  /** All of them: what one replica hands on to another is answered by these. */
  readonly routes: readonly Route[]
  readonly upgrade: UpgradeRoute | undefined
  readonly options: HttpHostOptions
  /** How we are reached, where others may be on other machines. Default: all are on this one. */
  readonly far: Config | undefined
}

export const openPeersPort = async ({ routes, upgrade, options, far }: PeersPortOptions): Promise<PeersPort> => {
  const http = createHttpHost({ ...options, guard: onlyPeers })
  http.addRoutes(routes)
  if (upgrade) http.onUpgrade(upgrade)
  const { url } = await http.listen({ host: far?.server.host ?? '127.0.0.1', port: 0, isOwn: true })
  return { url: far ? farAddress(far, url) : url, close: () => http.close({ graceMs: 6000 }) }
}

export const isForPeers = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith(`${peerPath}/`)

const onlyPeers = ({ url = '' }: IncomingMessage): void => {
  if (!url.startsWith(`${peerPath}/`))
    throw new HttpError(404, 'ROUTE_NOT_FOUND', say('There is nothing at this path.', '此路径下没有内容。'))
}

/** The operator says by which name we are reached; the port is this process's own. */
const farAddress = (config: Config, url: string): string => {
  const address = new URL(addressForPeers(config, url))
  address.protocol = 'http:'
  address.port = new URL(url).port
  return address.origin
}

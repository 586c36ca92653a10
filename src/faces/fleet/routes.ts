import type { Fleet } from '../../fleet/fleet.js'
import type { HttpExchange, Route } from '../../http/route.js'
import { passRoutes } from './pass.js'
import { type PeerRoute, toPeerRoute } from './peer-route.js'

export interface PeerFaces {
  /** Where requests may be passed on to. */
  readonly routes: readonly Route[]
  /** What happens here, for the console of another replica. */
  feed(exchange: HttpExchange): void
}

/** What other replicas may ask of this one; nothing where there are none. */
export const peerRoutes = ({ peers }: Fleet, { routes, feed }: PeerFaces): readonly Route[] => {
  if (!peers) return []
  const tell: PeerRoute = {
    method: 'POST',
    path: '/tell',
    handle: ({ response }, { from }, body) => {
      peers.heard(body, from)
      response.writeHead(204).end()
    },
  }
  const events: PeerRoute = { method: 'GET', path: '/events', stream: true, handle: (exchange) => feed(exchange) }
  return [tell, events, ...passRoutes(routes)].map((route) => toPeerRoute(peers.door, route))
}

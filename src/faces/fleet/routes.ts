import type { Fleet } from '../../fleet/fleet.js'
import type { Route } from '../../http/route.js'
import { type PeerRoute, toPeerRoute } from './peer-route.js'

/** What other replicas may ask of this one; nothing where there are none. */
export const peerRoutes = ({ peers }: Fleet): readonly Route[] => {
  if (!peers) return []
  const routes: readonly PeerRoute[] = []
  return routes.map((route) => toPeerRoute(peers.door, route))
}

import { type LinkVisit, linkRoute, type Misdirected } from '../faces/fleet/link-route.js'
import { createElsewhere } from '../faces/mcp/asking/elsewhere.js'
import { createTalks } from '../faces/mcp/asking/talk.js'
import { serveLink } from '../faces/mcp/fleet/link.js'
import type { Fleet, Place } from '../fleet/fleet.js'
import type { OpenPeers } from '../fleet/peers.js'
import { type Gateway, waitingRoomOf } from '../gateway.js'
import type { UpgradeRoute } from '../http/route.js'
import { unavailable } from '../mcp/client/failure.js'
import { systemClock } from '../model/clock.js'
import type { HeldAt, OpenPeerSource } from '../sources/hosting.js'
import { createPeerSource } from '../sources/peer/peer.js'
import type { Logger } from '../telemetry/logger.js'
import { implementation } from './version.js'

export interface PeerLinks {
  readonly route: UpgradeRoute
  /** Before the listener closes: nobody is let in any more, and whoever waits for an answer of ours is told. */
  close(): void
}

/** What other replicas hand over to us. Loaded only where there are others. */
export const openPeerLinks = (
  gateway: Gateway,
  peers: OpenPeers,
  placeOf: (source: string) => Place,
  logger: Logger,
): PeerLinks => {
  const elsewhere = createElsewhere(gateway)
  const talks = createTalks(waitingRoomOf(gateway), elsewhere)
  const common = { gateway, talks, serverInfo: implementation, clock: systemClock, logger }
  const judge = ({ source, pass }: LinkVisit): Misdirected | undefined => {
    // What needs no lease is asked for without an epoch.
    if (pass.epoch === undefined) return undefined
    const place = placeOf(source)
    if (place.at === 'here' && place.epoch >= pass.epoch) return undefined
    return place.at === 'elsewhere'
      ? { holder: place.member.name, epoch: place.epoch }
      : { holder: undefined, epoch: place.at === 'here' ? place.epoch : 0 }
  }
  return {
    route: linkRoute({
      door: peers.door,
      judge,
      begin: (visit, lines) => {
        const { source } = visit
        const refusal = () => {
          const movedTo = judge(visit)
          return (
            movedTo &&
            unavailable(`This replica does not hold '${source}' any more.`, { notSent: true, details: { movedTo } })
          )
        }
        const link = serveLink({ ...common, source, lines, refusal })
        visit.onDrain(() => link.leave())
      },
    }),
    close: () => {
      talks.close()
      elsewhere.close()
    },
  }
}

/** How a source is asked that another replica holds. */
export const peerSourcesOf =
  (fleet: Pick<Fleet, 'members'>, peers: Pick<OpenPeers, 'link'>): OpenPeerSource =>
  ({ source, replica, epoch }: HeldAt, options) =>
    createPeerSource({
      ...options,
      replica,
      dial: async (signal) => {
        const member = fleet.members().find(({ name }) => name === replica)
        if (!member) throw unavailable(`Replica ${replica} is not there any more.`, { notSent: true })
        return peers.link(member, { source, epoch }, signal)
      },
    })

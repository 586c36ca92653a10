import type { Fleet } from '../fleet/fleet.js'
import { createOthers, type Others } from '../fleet/others.js'
import { PeerFeeds } from '../fleet/peer-feeds.js'
import type { Clock } from '../model/clock.js'

export interface OtherReplicas extends Others {
  /** For a face that tells of them: whom to ask, and a feed of its own. */
  told(): { readonly others: Others; readonly feeds: PeerFeeds }
}

/** The others of our fleet; undefined where there are none. */
export const otherReplicas = (fleet: Fleet, clock: Clock): OtherReplicas | undefined => {
  if (!fleet.peers) return undefined
  const others = createOthers(fleet, fleet.peers, clock)
  return {
    ...others,
    told: () => ({ others, feeds: new PeerFeeds({ fleet, others, clock, path: '/events' }) }),
  }
}

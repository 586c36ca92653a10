import type { Fleet } from '../fleet/fleet.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import type { FleetHosting } from './sources/fleet-hosting.js'

/** Nothing of it is loaded where a process is by itself. */
export const hostingIn = async (
  { fleet, logger }: { readonly fleet: Fleet; readonly logger: Logger },
  current: CurrentConfig,
): Promise<FleetHosting | undefined> => {
  if (fleet.isAlone || !fleet.peers) return undefined
  const [{ createFleetHosting }, { peerSourcesOf }] = await Promise.all([
    import('./sources/fleet-hosting.js'),
    import('./peer-links.js'),
  ])
  const finishMs = current.reading(['server.drainMs'], ({ server }) => server.drainMs)
  return createFleetHosting({ fleet, open: peerSourcesOf(fleet, fleet.peers), logger: logger.child('fleet'), finishMs })
}

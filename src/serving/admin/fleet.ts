import type { FleetDesk } from '../../faces/admin/fleet.js'
import type { Board } from '../board.js'

/** The fleet for its operators, as the replica that they ask knows it. */
export const createFleetDesk = ({ fleet, storage }: Pick<Board, 'fleet' | 'storage'>): FleetDesk => ({
  picture: () => {
    const leases = fleet.leases()
    return {
      alone: fleet.isAlone,
      replica: fleet.replica,
      replicas: fleet.members().map(({ name, state, version, isUs, silentMs, address }) => ({
        ...{ name, state, version, isUs, address },
        silentMs: Math.round(silentMs),
        holds: leases.filter(({ holder, isFree }) => holder === name && !isFree).length,
      })),
      leases: leases.map(({ name, epoch, isFree, holder }) => ({ name, epoch, isFree, holder })),
      store: { up: storage.commons?.isUp ?? true, lagMs: Math.round(storage.commons?.lagMs() ?? 0) },
    }
  },
  release: async (lease) => (await storage.commons?.leases.release(lease)) ?? false,
})

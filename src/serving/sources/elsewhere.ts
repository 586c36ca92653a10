import type { Fleet } from '../../fleet/fleet.js'

/**
 * Whether another replica runs this source: then it writes down what the source shows, and what we have of it through that
 * replica is not written a second time, later and perhaps older.
 */
export const elsewhereIn = (fleet: Pick<Fleet, 'isAlone' | 'leases' | 'replica'>): ((source: string) => boolean) => {
  if (fleet.isAlone) return () => false
  return (source) =>
    fleet
      .leases()
      .some(({ name, holder }) => name === `source:${source}` && holder !== undefined && holder !== fleet.replica)
}

import { type Fleet, sourceLease } from '../../fleet/fleet.js'

/**
 * Whether another replica runs this source: then it writes down what the source shows, and what we have of it through that
 * replica is not written a second time, later and perhaps older.
 */
export const elsewhereIn = (fleet: Pick<Fleet, 'isAlone' | 'look'>): ((source: string) => boolean) =>
  fleet.isAlone ? () => false : (source) => fleet.look(sourceLease(source)).at === 'elsewhere'

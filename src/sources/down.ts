import type { Clock } from '../model/clock.js'
import { downStates, type SourceStatus } from './status.js'

/** Kinds that are degraded where a file of theirs cannot be read, and go on by what it was before. */
const goOn: ReadonlySet<string> = new Set(['openapi', 'scripts'])

/** Whether calls are refused. Undefined while it is tried again: it counts as before, or hidden tools would flicker. */
export const isDown = (kind: string, { state }: SourceStatus): boolean | undefined =>
  state === 'starting' ? undefined : downStates.has(state) || (state === 'degraded' && !goOn.has(kind))

/** Milliseconds to the next try; undefined where none is planned. */
export const waitOf = ({ nextRetryAt }: SourceStatus, clock: Clock): number | undefined =>
  nextRetryAt === undefined ? undefined : Math.max(0, nextRetryAt - clock.wall())

/** The state, why, and the next try, as the end of a sentence to a caller: "is backing-off: … Next try in 2 s." */
export const howItStands = (status: SourceStatus, clock: Clock): string => {
  const { state, reason } = status
  const waitMs = waitOf(status, clock)
  const why = reason === undefined ? '.' : `: ${/[.!?…]$/.test(reason) ? reason : `${reason}.`}`
  return `is ${state}${why}${waitMs === undefined ? '' : ` Next try in ${Math.max(1, Math.round(waitMs / 1000))} s.`}`
}

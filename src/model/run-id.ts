import type { RunId } from './call.js'

/** Of a script that a script called: by its place there, so that the one leads to the other. */
export const runWithin = (outer: RunId, step: number): RunId => `${outer}.${step}`

/** Whether something was called by this script, or by one that it called. */
export const isOfRun = (run: RunId | undefined, wanted: RunId): boolean =>
  run === wanted || (run?.startsWith(`${wanted}.`) ?? false)

/** The script that was called from outside, whatever it called. */
export const outermostRun = (run: RunId): RunId => run.split('.', 1)[0]!

/** Whether this names the run of a script, where something else could stand. */
export const isRunId = (id: string): boolean => id.startsWith('r_')

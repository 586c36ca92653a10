import type { LoggedCall } from '../../../src/faces/admin/calls.js'

/** A row among the calls: one of them, and of a script how many of its own stand under it. */
export interface CallRow {
  readonly call: LoggedCall
  /** Calls of this script that fit; undefined where it is none. */
  readonly inner?: readonly LoggedCall[] | undefined
  /** Whether it stands under its script. */
  readonly isInner?: boolean | undefined
  readonly isOpen?: boolean | undefined
}

/** In addresses and keys: numbers are those of one replica. */
export const nameOfCall = ({ n, replica }: LoggedCall): string =>
  replica === undefined ? String(n) : `${n}@${replica}`

/** The script that was called from outside: one that a script called has its place there behind a dot (`r_….3`). */
const outermostRun = (run: string): string => run.split('.', 1)[0] ?? run

/** Whether something was called by this script, or by one that it called. */
export const isOfRun = (run: string | undefined, wanted: string): boolean =>
  run === wanted || (run?.startsWith(`${wanted}.`) ?? false)

/** Its place in its script: `3`, and `3.1` where the third call was a script itself. */
export const stepOf = ({ run, step }: LoggedCall): string | undefined =>
  run === undefined || step === undefined ? undefined : [...run.split('.').slice(1), step].join('.')

const isScript = ({ run, step }: LoggedCall): boolean => run !== undefined && step === undefined

/**
 * The calls, newest first, those of a script under the script, which is the later of them. One that paused and went on has
 * several rows, each with what was called in its turn; calls of a script that still runs stand by themselves.
 */
export const callTree = (
  calls: readonly LoggedCall[],
  fits: (call: LoggedCall) => boolean,
  isOpen: (script: LoggedCall, isFound: boolean) => boolean,
): readonly CallRow[] => {
  const open = new Map<string, LoggedCall[]>()
  const under = new Map<LoggedCall, readonly LoggedCall[]>()
  const latest = new Map<string, LoggedCall>()
  const placed = new Set<LoggedCall>()
  for (const call of calls) {
    if (call.run === undefined) continue
    // What a script that it called has called stands under it as well.
    const run = outermostRun(call.run)
    const waiting = open.get(run) ?? []
    if (!isScript(call)) {
      waiting.push(call)
      open.set(run, waiting)
      continue
    }
    under.set(call, waiting)
    for (const each of waiting) placed.add(each)
    open.delete(run)
    latest.set(run, call)
  }
  // One that was cancelled is over before the calls that it had under way.
  for (const [run, late] of open) {
    const script = latest.get(run)
    if (!script) continue
    under.set(script, [...(under.get(script) ?? []), ...late])
    for (const each of late) placed.add(each)
  }
  return calls.toReversed().flatMap((call): readonly CallRow[] => {
    if (placed.has(call)) return []
    const all = under.get(call)
    if (!all) return fits(call) ? [{ call }] : []
    const found = all.filter(fits)
    // A script that fits is shown with all that it called, one that does not with what fits of it.
    const inner = fits(call) ? all : found
    if (inner.length === 0 && !fits(call)) return []
    const shown = isOpen(call, !fits(call))
    return [{ call, inner, isOpen: shown }, ...(shown ? inner.map((each) => ({ call: each, isInner: true })) : [])]
  })
}

import { setFlagsFromString } from 'node:v8'
import type { Clock } from '../model/clock.js'

// A source that hangs must not keep it small for good.
const longestMs = 15_000
// After the last report: what was reported is written to the store, and the first lists are made of it.
const afterwardsMs = 1000
// Measured on 20, 22 and 24. One that no longer knew the flag would say so on standard error at every start.
const newestKnown = 24
const setIfKnown = (flag: string): void => {
  if (Number.parseInt(process.versions.node, 10) <= newestKnown) setFlagsFromString(flag)
}

/**
 * Keeps V8's young generation small while a gateway starts. Code that is loaded and lists that sources report stay for good,
 * and V8 takes that for a program that needs up to 64 times the room for new objects, which it gives back late or never:
 * with ten sources and 2,000 tools 116 MB were resident, and 91 with this, for 10 to 20 ms of CPU time at the start. The
 * returned function is told when they have reported, and lets it grow again: calls would pay for a small one. By the
 * factor, since the largest size is read only once, before any program runs.
 */
export const holdYoungGeneration = (clock: Clock, setFlag: (flag: string) => void = setIfKnown): (() => void) => {
  setFlag('--semi-space-growth-factor=1')
  const release = (): void => setFlag('--semi-space-growth-factor=2')
  const cancelTimer = clock.after(longestMs, release)
  return () => {
    cancelTimer()
    clock.after(afterwardsMs, release)
  }
}

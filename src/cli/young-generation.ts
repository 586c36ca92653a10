import { setFlagsFromString } from 'node:v8'
import type { Clock } from '../model/clock.js'

// How long a start goes on: sources have reported by then, or they are late and few.
const startMs = 10_000

// Measured on 20, 22 and 24. One that no longer knew the flag would say so on standard error at every start.
const newestKnown = 24
const setIfKnown = (flag: string): void => {
  if (Number.parseInt(process.versions.node, 10) <= newestKnown) setFlagsFromString(flag)
}

/**
 * Keeps V8's young generation as small as it is while sources report. What they send stays for good, and V8 takes that for
 * a program that needs sixteen times the room for new objects: 24 MB that it gives back late or never (measured with ten
 * sources and 2,000 tools: 92 MB resident instead of 115). Then it may grow again, so that calls cost what they did.
 * By the factor, since the largest size is read only once, before any program runs. Returns what ends it at once.
 */
export const holdYoungGeneration = (clock: Clock, setFlag: (flag: string) => void = setIfKnown): (() => void) => {
  setFlag('--semi-space-growth-factor=1')
  const release = (): void => setFlag('--semi-space-growth-factor=2')
  const cancelTimer = clock.after(startMs, release)
  return () => {
    cancelTimer()
    release()
  }
}

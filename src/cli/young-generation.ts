import { setFlagsFromString } from 'node:v8'
import type { Clock } from '../model/clock.js'

// By then sources have reported, or they are late and few.
const startMs = 15_000
// Measured on 20, 22 and 24. One that no longer knew the flag would say so on standard error at every start.
const newestKnown = 24
const setIfKnown = (flag: string): void => {
  if (Number.parseInt(process.versions.node, 10) <= newestKnown) setFlagsFromString(flag)
}

/**
 * Keeps V8's young generation small while a gateway starts. Code that is loaded and lists that sources report stay for good,
 * and V8 takes that for a program that needs up to 64 times the room for new objects, which it gives back late or never:
 * with ten sources and 2,000 tools 116 MB were resident, and 91 with this, at no CPU time that could be measured. Later
 * it may grow again, so that calls cost what they did. By the factor, since the largest size is read only once, before
 * any program runs.
 */
export const holdYoungGeneration = (clock: Clock, setFlag: (flag: string) => void = setIfKnown): void => {
  setFlag('--semi-space-growth-factor=1')
  clock.after(startMs, () => setFlag('--semi-space-growth-factor=2'))
}

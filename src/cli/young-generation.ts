import { totalmem } from 'node:os'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Clock } from '../model/clock.js'

// A source that hangs must not keep it small for good.
const longestMs = 15_000
// After the last report: what was reported is written to the store, and the first lists are made of it.
const afterwardsMs = 1000
// Often enough that it cannot grow far past its bound in between; a look takes some microseconds.
const lookMs = 500
// Measured on 20, 22 and 24. One that no longer knew the flag would say so on standard error at every start.
const newestKnown = 24

/** The engine as far as this is concerned. */
export interface YoungEngine {
  setFlag(flag: string): void
  /** Bytes that new objects have room in, both halves. */
  youngBytes(): number
  /** Bytes of memory that this process may count on. */
  memoryBytes(): number
}

const v8: YoungEngine = {
  setFlag: (flag) => {
    if (Number.parseInt(process.versions.node, 10) <= newestKnown) setFlagsFromString(flag)
  },
  youngBytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0,
  // Without a limit Node tells a number beyond any memory.
  memoryBytes: () => Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY),
}

const mostYoungBytes = 64 * 2 ** 20

/**
 * Keeps V8's young generation small while a gateway starts, and within bounds afterwards. Code that is loaded and lists that
 * sources report stay for good, and V8 takes that for a program that needs up to 64 times the room for new objects, which it
 * gives back late or never: with ten sources and 2,000 tools 116 MB were resident, and 91 with this, for 10 to 20 ms of CPU
 * time at the start. The returned function is told when they have reported, and lets it grow again: calls would pay for a small
 * one. They pay nothing for a bound of a thirty-second of the memory, 64 MB at most: Node 24 goes to 128 MB by itself, and
 * holds 80 MB more after a load for the same CPU time per call. By the factor, since the largest size is read only once,
 * before any program runs.
 */
export const holdYoungGeneration = (clock: Clock, engine: YoungEngine = v8): (() => void) => {
  let factor = 0
  const growBy = (next: number): void => {
    if (next !== factor) engine.setFlag(`--semi-space-growth-factor=${next}`)
    factor = next
  }
  const most = Math.min(engine.memoryBytes() / 32, mostYoungBytes)
  const watch = (): void => {
    // It shrinks again when little happens, and may then grow again.
    growBy(engine.youngBytes() < most ? 2 : 1)
    clock.after(lookMs, watch)
  }
  growBy(1)
  const cancelTimer = clock.after(longestMs, watch)
  return () => {
    cancelTimer()
    clock.after(afterwardsMs, watch)
  }
}

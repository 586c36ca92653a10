import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../model/clock.js'

// So long without work is rest; and how often it is looked for while there is none to wait for.
const [lookMs, restingLookMs] = [2000, 10_000]
// V8 gives the room for new objects back only where little was allocated within five seconds.
const quietMs = 6000
// Shares of one core. Between the two is neither work nor rest: some hundred calls a second take about a twentieth, and one of
// them would wait for the whole pause, which is 100 ms and more where sources sent much.
const [work, rest] = [0.2, 0.03]
// What a gateway with some hundreds of tools takes, which is not worth a pause.
const leastBytes = 64 * 1024 * 1024
// The first finds what is garbage, the second also gives back the room for new objects.
const collections = 2

/** What is looked at and done; the process's own unless a test says otherwise. */
export interface Housekeeping {
  /** µs of processor time so far. */
  cpu(): number
  heapBytes(): number
  collect(): void
}

/**
 * Collects garbage when a gateway that was at work comes to rest: after its start, and after calls. V8 would do so by
 * itself, but half a minute later: with 10,200 tools 190 MB stayed resident until then, and 130 after it. The price is two
 * pauses of some 40 ms each, at a time when nobody calls. From now on; what went before counts as work.
 */
export const collectAtRest = (clock: Clock, { cpu, heapBytes, collect }: Housekeeping = ownHousekeeping): void => {
  let left = collections
  let [since, used] = [clock.now(), cpu()]
  const look = (): void => {
    const load = (cpu() - used) / 1000 / (clock.now() - since)
    if (load >= work) left = collections
    else if (load < rest && left > 0) {
      const isWorthIt = left < collections || heapBytes() >= leastBytes
      left = isWorthIt ? left - 1 : 0
      if (isWorthIt) collect()
    }
    // Behind the collection, which is no work.
    since = clock.now()
    used = cpu()
    clock.after(left === 0 ? restingLookMs : left < collections ? quietMs : lookMs, look)
  }
  clock.after(lookMs, look)
}

/** Node has no call for it: the function is there in contexts that are made while this flag is set. */
const collectAll = (): void => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (() => void) | undefined
  setFlagsFromString('--no-expose-gc')
  gc?.()
}

export const ownHousekeeping: Housekeeping = {
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  collect: collectAll,
}

import type { Clock } from '../../model/clock.js'

export type Refusal = 'full' | 'waited' | 'left'

/** So many at once, so many waiting, so long: whoever comes after that is told to go. First come, first served. */
export interface Gate {
  readonly active: number
  readonly waiting: number
  /** Takes a place if one is free now. */
  tryEnter(): boolean
  /** Waits for a place. Resolves with undefined once inside, or with why not. */
  enter(signal: AbortSignal | undefined): Promise<Refusal | undefined>
  leave(): void
}

export interface GateOptions {
  readonly places: number
  readonly queue: number
  readonly waitMs: number
  readonly clock: Clock
}

export const createGate = ({ places, queue, waitMs, clock }: GateOptions): Gate => {
  const waiters = new Set<(refusal: Refusal | undefined) => void>()
  let active = 0

  const enter = (signal: AbortSignal | undefined) =>
    new Promise<Refusal | undefined>((resolve) => {
      if (waiters.size >= queue) return resolve('full')
      const done = (refusal: Refusal | undefined) => {
        waiters.delete(done)
        cancelTimer()
        signal?.removeEventListener('abort', onAbort)
        resolve(refusal)
      }
      const onAbort = () => done('left')
      const cancelTimer = clock.after(waitMs, () => done('waited'))
      signal?.addEventListener('abort', onAbort, { once: true })
      waiters.add(done)
      if (signal?.aborted) onAbort()
    })

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiters.size
    },
    tryEnter: () => {
      if (active >= places || waiters.size > 0) return false
      active += 1
      return true
    },
    enter,
    leave: () => {
      // The place goes straight to the next in line: no newcomer can slip in between.
      for (const next of waiters) return next(undefined)
      active -= 1
    },
  }
}

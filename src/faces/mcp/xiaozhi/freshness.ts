import type { Clock } from '../../../model/clock.js'

export interface FreshnessOptions {
  readonly clock: Clock
  /** True when the far side has read a list, and it is another one now. */
  isStale(): Promise<boolean>
  /** Sends `notifications/tools/list_changed`. */
  notify(): void
  isIdle(): boolean
  /** Leaves and comes back, so that the list is read again. */
  reconnect(): void
}

/**
 * Brings a changed list to the far side. Cloud brokers hear the notification; relays drop every frame without an id of
 * theirs (X7), and there only a new connection helps. Nobody says which is which, so: tell, and if the list is not read
 * soon after, leave and come back, when nobody is being answered and not too often.
 */
export interface Freshness {
  changed(): void
  stop(): void
}

const hearMs = 5000
const idleCheckMs = 1000
const mostIdleChecks = 30
const shortestGapMs = 30_000
const longestGapMs = 10 * 60_000

export const createFreshness = (options: FreshnessOptions): Freshness => {
  const { clock } = options
  let cancel: (() => void) | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let gapMs = shortestGapMs

  // One timer from the first change on: a list that never rests must not put its reading off for ever.
  const later = (delayMs: number, task: () => void): void => {
    cancel ??= clock.after(delayMs, () => {
      cancel = undefined
      task()
    })
  }
  const leave = async (checks: number): Promise<void> => {
    if (!(await options.isStale())) return
    const waitMs = lastAt + gapMs - clock.now()
    if (waitMs > 0) return later(waitMs, () => void leave(0))
    // A voice is being answered: it may finish, unless it never does.
    if (!options.isIdle() && checks < mostIdleChecks) return later(idleCheckMs, () => void leave(checks + 1))
    // A source that comes and goes must not take the link with it each time.
    gapMs = clock.now() - lastAt > 2 * longestGapMs ? shortestGapMs : Math.min(gapMs * 2, longestGapMs)
    lastAt = clock.now()
    options.reconnect()
  }
  const tell = async (): Promise<void> => {
    if (!(await options.isStale())) return
    options.notify()
    later(hearMs, () => void leave(0))
  }
  return {
    changed: () => void tell(),
    stop: () => {
      cancel?.()
      cancel = undefined
    },
  }
}

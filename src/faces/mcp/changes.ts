import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import type { HotSet } from './discovery/exposure.js'

/** Tells clients that their list changed: at once, then at most once a second however fast a source flaps (F32). */
export interface Changes {
  /** Called after a change of the catalog or of who may see what. Returns how to stop. */
  subscribe(listener: () => void): () => void
  close(): void
}

const quietMs = 1000

export const watchChanges = (gateway: Gateway, clock: Clock, hot?: HotSet): Changes => {
  const listeners = new Set<() => void>()
  let pending = false
  let cancelTimer: (() => void) | undefined

  const tell = (): void => {
    pending = false
    cancelTimer = clock.after(quietMs, () => {
      cancelTimer = undefined
      if (pending) tell()
    })
    for (const listener of [...listeners]) listener()
  }
  const changed = (): void => {
    pending = true
    if (!cancelTimer) tell()
  }

  const stop = gateway.catalog.onChange(changed)
  const stopPolicy = gateway.policy.onChange(changed)
  const stopHot = hot?.onChange(changed)
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      stop()
      stopPolicy()
      stopHot?.()
      cancelTimer?.()
      listeners.clear()
    },
  }
}

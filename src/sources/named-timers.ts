import type { Clock } from '../model/clock.js'

/** One pending timer per name: setting it again replaces it, clearing all leaves nothing behind. */
export interface NamedTimers<Name extends string> {
  set(name: Name, ms: number, task: () => void): void
  clear(name: Name): void
  clearAll(): void
  has(name: Name): boolean
}

export const createNamedTimers = <Name extends string>(clock: Clock): NamedTimers<Name> => {
  const timers = new Map<Name, () => void>()
  const clear = (name: Name): void => {
    timers.get(name)?.()
    timers.delete(name)
  }
  return {
    set: (name, ms, task) => {
      clear(name)
      const run = (): void => {
        timers.delete(name)
        task()
      }
      timers.set(name, clock.after(ms, run))
    },
    clear,
    clearAll: () => {
      for (const name of [...timers.keys()]) clear(name)
    },
    has: (name) => timers.has(name),
  }
}

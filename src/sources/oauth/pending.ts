import { randomBytes } from 'node:crypto'
import type { Clock } from '../../model/clock.js'

/** Long enough to find a password, short enough that a forgotten link is no standing invitation. */
export const signInMs = 10 * 60_000
const mostPending = 64

export interface PendingSignIns<Entry> {
  /** Keeps it; the answer is the name under which it comes back, once. */
  add(entry: Entry): { readonly state: string; readonly expiresAt: number }
  /** Gives it out and forgets it; undefined for what is unknown, used or too old, which look the same from outside. */
  take(state: string): Entry | undefined
  /** Those that still wait. */
  waiting(): readonly Entry[]
  /** Forgets those that match. */
  drop(matches: (entry: Entry) => boolean): void
}

/** Sign-ins on their way through a browser. The state cannot be guessed (256 bits), works once, and ends after ten minutes. */
export const createPending = <Entry>(clock: Clock): PendingSignIns<Entry> => {
  const entries = new Map<string, { readonly entry: Entry; readonly endsAt: number }>()
  const sweep = (): void => {
    for (const [state, { endsAt }] of entries) if (endsAt <= clock.now()) entries.delete(state)
  }
  return {
    add: (entry) => {
      sweep()
      // The oldest goes: whoever starts so many has long lost its tab.
      for (const state of entries.keys()) if (entries.size >= mostPending) entries.delete(state)
      const state = randomBytes(32).toString('base64url')
      entries.set(state, { entry, endsAt: clock.now() + signInMs })
      return { state, expiresAt: clock.wall() + signInMs }
    },
    take: (state) => {
      sweep()
      const found = entries.get(state)?.entry
      entries.delete(state)
      return found
    },
    waiting: () => {
      sweep()
      return [...entries.values()].map(({ entry }) => entry)
    },
    drop: (matches) => {
      for (const [state, { entry }] of entries) if (matches(entry)) entries.delete(state)
    },
  }
}

import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../model/clock.js'
import type { Seal } from '../../model/seal.js'

/** Long enough to find a password, short enough that a forgotten link is no standing invitation. */
export const signInMs = 10 * 60_000

export interface PendingSignIns<Entry> {
  /** Keeps it; the answer is the name under which it comes back, once. */
  add(entry: Entry): Promise<{ readonly state: string; readonly expiresAt: number }>
  /** Gives it out and forgets it; undefined for what is unknown, used or too old, which look the same from outside. */
  take(state: string): Promise<Entry | undefined>
  /** Those that were begun here and still wait, as far as is known here. */
  waiting(): readonly Entry[]
  /** Forgets those that match and were begun here. */
  drop(matches: (entry: Entry) => boolean): void
}

/** Where sign-ins wait whose browser may come back to another process. */
export interface SharedPending {
  readonly rows: {
    put(id: string, sealed: string, until: number): Promise<void>
    /** Once: of two who take it, one gets it. */
    take(id: string): Promise<string | undefined>
  }
  /** They hold the proof of who began them (PKCE), which whoever reads the rows must not have. */
  readonly seal: Seal
  /** What the rows are dated by, milliseconds since the epoch: a clock of ours that is wrong ends no sign-in. */
  now(): number
}

interface Waiting<Entry> {
  readonly entry: Entry
  readonly endsAt: number
}

/**
 * Sign-ins on their way through a browser. The state cannot be guessed (256 bits), works once, and ends after ten minutes.
 * Where they are shared an entry must be JSON.
 */
export const createPending = <Entry extends object>(
  clock: Clock,
  shared?: SharedPending,
  mostPending = 64,
): PendingSignIns<Entry> => {
  const entries = new Map<string, Waiting<Entry>>()
  const forget = (state: string): void => {
    // What cannot be taken out now ends by itself.
    if (entries.delete(state)) void shared?.rows.take(idOf(state)).catch(() => {})
  }
  const sweep = (): void => {
    for (const [state, { endsAt }] of entries) if (endsAt <= clock.now()) entries.delete(state)
  }
  return {
    add: async (entry) => {
      sweep()
      // The oldest goes: whoever starts so many has long lost its tab.
      for (const state of entries.keys()) if (entries.size >= mostPending) forget(state)
      const state = randomBytes(32).toString('base64url')
      const expiresAt = clock.wall() + signInMs
      entries.set(state, { entry, endsAt: clock.now() + signInMs })
      if (shared) {
        const id = idOf(state)
        await shared.rows.put(id, shared.seal.close({ id, entry }), shared.now() + signInMs)
      }
      return { state, expiresAt }
    },
    take: async (state) => {
      sweep()
      const known = entries.get(state)?.entry
      entries.delete(state)
      if (!shared) return known
      const id = idOf(state)
      const opened = shared.seal.open(await shared.rows.take(id))
      // Bound to its state: a row that somebody put under another name is none.
      return opened?.id === id ? (opened.entry as Entry) : undefined
    },
    waiting: () => {
      sweep()
      return [...entries.values()].map(({ entry }) => entry)
    },
    drop: (matches) => {
      for (const [state, { entry }] of entries) if (matches(entry)) forget(state)
    },
  }
}

// The state itself is what lets a browser in, so it is written down nowhere.
const idOf = (state: string): string => hash('sha256', state)

import type { JsonObject } from '../../../model/json.js'

/** What a session asked for since its handshake, by key; null takes a key away. */
export type SessionState = JsonObject

export interface RememberedSession {
  readonly state: SessionState
  readonly ended: boolean
}

/** What is remembered of sessions beside their ids: what they asked for, and that they ended. */
export interface SessionMemory {
  /** A promise only where others have to be asked; it never rejects: who cannot be asked holds nobody up. */
  recall(sid: string): RememberedSession | undefined | Promise<RememberedSession | undefined>
  /** Nobody waits for it. */
  note(sid: string, changes: SessionState, until: number): void
  /** Resolves when it has ended for everybody; rejects where others cannot be told. */
  end(sid: string, until: number): void | Promise<void>
  /** Told what was noted elsewhere. */
  follow(listener: (noted: ReadonlyMap<string, RememberedSession>) => void): () => void
}

/** A row with its end, milliseconds since the epoch. */
export interface SessionNote extends RememberedSession {
  readonly until: number
}

// Of those past it the oldest are forgotten: a session that asked for something begins without it, one that ended could be
// used again, by its own caller and until it is too old.
const mostNotes = 10_000
const mostBytes = 4 * 1024 * 1024

/** What one process remembers, in memory. */
export class SessionNotes implements SessionMemory {
  readonly #notes = new Map<string, SessionNote>()
  readonly #onChange: () => void
  #bytes = 0

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange
  }

  get size(): number {
    return this.#notes.size
  }

  recall(sid: string): RememberedSession | undefined {
    return this.#notes.get(sid)
  }

  note(sid: string, changes: SessionState, until: number): void {
    const known = this.#notes.get(sid)
    const state = Object.entries({ ...known?.state, ...changes }).filter(([, value]) => value !== null)
    this.put(sid, { state: Object.fromEntries(state), ended: known?.ended ?? false, until })
  }

  end(sid: string, until: number): void {
    this.put(sid, { state: {}, ended: true, until })
  }

  /** As it is, in the place of what was known. */
  put(sid: string, note: SessionNote): void {
    this.#forget(sid)
    this.#notes.set(sid, note)
    this.#bytes += sizeOf(note)
    for (const [oldest] of this.#notes) {
      if (this.#notes.size <= mostNotes && this.#bytes <= mostBytes) break
      this.#forget(oldest)
    }
    this.#onChange()
  }

  /** Nobody else writes here. */
  follow(): () => void {
    return () => {}
  }

  /** Those that still matter; the others are forgotten. */
  living(now: number): readonly (readonly [string, SessionNote])[] {
    for (const [sid, { until }] of this.#notes) if (until <= now) this.#forget(sid)
    return [...this.#notes]
  }

  #forget(sid: string): void {
    const known = this.#notes.get(sid)
    if (!known) return
    this.#bytes -= sizeOf(known)
    this.#notes.delete(sid)
  }
}

// An ended one, which most are, is its name.
const sizeOf = ({ state }: SessionNote): number => 64 + JSON.stringify(state).length

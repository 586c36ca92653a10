import type { Clock } from '../../model/clock.js'

/** Holds back the first lists while a source is awaited of which nothing is known yet. */
export interface FirstList {
  /** What a list has to wait for; undefined once nothing is awaited, for good. */
  pending(): Promise<void> | undefined
  /** The board starts: these sources are awaited, until each has started or failed, or time is up. */
  begin(awaited: ReadonlyMap<string, Promise<void>>): void
  /** Nobody waits any longer. */
  release(): void
}

export interface FirstListOptions {
  readonly clock: Clock
  readonly waitMs: number
  /** Told which sources were still starting when time was up. */
  onLate(names: readonly string[]): void
}

/** Clients that list once must see every tool; those that connect must not wait for a server that hangs. */
export const createFirstList = ({ clock, waitMs, onLate }: FirstListOptions): FirstList => {
  let release = (): void => {}
  let pending: Promise<void> | undefined = new Promise((resolve) => {
    release = () => {
      pending = undefined
      resolve()
    }
  })
  return {
    pending: () => pending,
    begin: (awaited) => {
      if (awaited.size === 0 || waitMs === 0) return release()
      const late = new Set(awaited.keys())
      const cancel = clock.after(waitMs, () => {
        release()
        onLate([...late])
      })
      for (const [name, started] of awaited)
        void started.then(() => {
          late.delete(name)
          if (late.size > 0) return
          cancel()
          release()
        })
    },
    release: () => release(),
  }
}

/** One thing that several use: made for the first, ended with the last. */
export interface Shared<T> {
  hold(): SharedUse<T>
}

export interface SharedUse<T> {
  readonly value: T
  /** Gives it up; the last one ends it, and then resolves when it has ended. Idempotent. */
  release(): Promise<void>
}

/** Library faces have no `close` of their own process; what they share must not outlive its last user. */
export const createShared = <T>(make: () => T, end: (value: T) => Promise<void>): Shared<T> => {
  let current: { readonly value: T; users: number } | undefined
  return {
    hold: () => {
      current ??= { value: make(), users: 0 }
      const held = current
      held.users += 1
      let released: Promise<void> | undefined
      const giveUp = async (): Promise<void> => {
        held.users -= 1
        if (held.users > 0) return
        current = undefined
        await end(held.value)
      }
      return { value: held.value, release: () => (released ??= giveUp()) }
    },
  }
}

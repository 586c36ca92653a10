/** Who wants to know more than usual. What costs something is done only while there is somebody. */
export interface Watchers {
  readonly isWatched: () => boolean
  /** One more; the returned function, called once or often, takes it away again. */
  readonly watch: () => () => void
}

export const createWatchers = (): Watchers => {
  const present = new Set<object>()
  return {
    isWatched: () => present.size > 0,
    watch: () => {
      const one = {}
      present.add(one)
      return () => void present.delete(one)
    },
  }
}

/** A semaphore for dialling: a hundred endpoints that dropped together must not dial together (F31). */
export interface DialGate {
  /** Runs `task` when there is a place; the returned function gives the place, or the turn in the queue, back. */
  enter(task: () => void): () => void
}

export const createDialGate = (places: number): DialGate => {
  const waiting = new Set<() => void>()
  let free = places
  const next = (): void => {
    const [task] = waiting
    if (free === 0 || !task) return
    waiting.delete(task)
    free -= 1
    task()
  }
  return {
    enter: (task) => {
      let left = false
      waiting.add(task)
      next()
      return () => {
        if (left) return
        left = true
        if (waiting.delete(task)) return
        free += 1
        next()
      }
    },
  }
}

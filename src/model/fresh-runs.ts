/**
 * Runs this work one at a time. Whoever asks gets a run that begins after they asked, so that it cannot have missed what they
 * know of; all who ask before it begins share it.
 */
export const freshRuns = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    if (next) return next
    next = running.then(() => {
      next = undefined
      return work()
    })
    running = next.catch(() => {})
    return next
  }
}

import type { Commons } from '../storage/commons.js'

/** So many may wait for one look: whoever asks for names that do not exist by the thousand is refused at once. */
const mostWaiting = 512

/**
 * What is asked before something is said to be absent: what other replicas wrote a moment ago is taken up first. Undefined
 * where there is nobody else, nobody can be asked, or too many wait already; then what is known here counts.
 */
export const createLookAround = (
  commons: Pick<Commons, 'isUp' | 'look'> | undefined,
): (() => Promise<void> | undefined) => {
  let waiting = 0
  return () => {
    if (!commons?.isUp || waiting >= mostWaiting) return undefined
    waiting += 1
    return commons.look().finally(() => {
      waiting -= 1
    })
  }
}

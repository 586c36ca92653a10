import type { Commons } from '../storage/commons.js'

/** So many may wait for one look: whoever asks for names that do not exist by the thousand is refused at once. */
const mostWaiting = 512

/**
 * What is asked before something is said to be absent: what other replicas wrote a moment ago is taken up first, and who
 * has only just started waits for what is about to come. Undefined where there is nothing of either, nobody can be asked,
 * or too many wait already; then what is known here counts.
 */
export const createLookAround = (
  commons: Pick<Commons, 'isUp' | 'look'> | undefined,
  firstReports: () => Promise<unknown> | undefined = () => undefined,
): (() => Promise<void> | undefined) => {
  let waiting = 0
  return () => {
    const reports = firstReports()
    if (!(reports || commons?.isUp) || waiting >= mostWaiting) return undefined
    waiting += 1
    return both(reports, commons).finally(() => {
      waiting -= 1
    })
  }
}

const both = async (reports: Promise<unknown> | undefined, commons: Pick<Commons, 'isUp' | 'look'> | undefined) => {
  await reports
  if (commons?.isUp) await commons.look()
}

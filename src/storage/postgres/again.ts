import { isAway } from './problems.js'

/** After a restart of the database every connection at rest is dead, and the first who takes one finds out. */
export const twice = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!isAway(error) || !isCut(error)) throw error
    return work()
  }
}

const isCut = (error: unknown): boolean =>
  error instanceof Error &&
  !('wasEnding' in error) &&
  (/terminated|ECONNRESET|EPIPE|not queryable|server closed/i.test(error.message) ||
    ('code' in error && ['57P01', 'ECONNRESET', 'EPIPE', '40P01'].includes(String(error.code))))

const gone = new Set(['55P03', '40P01', '40001', '57014'])

/** Away as a whole, and not only busy for this one statement. */
export const isGone = (state: unknown, error: unknown): boolean => isAway(error) && !gone.has(String(state))

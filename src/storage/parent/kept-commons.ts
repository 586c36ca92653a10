import type { Commons } from '../commons.js'
import type { Keeper } from './keeper.js'

export type CommonsAnswers = Pick<
  Keeper,
  | 'look'
  | 'secret'
  | 'beat'
  | 'take'
  | 'giveBack'
  | 'standing'
  | 'release'
  | 'leave'
  | 'draw'
  | 'getSession'
  | 'putSession'
  | 'endSession'
  | 'sessionChanges'
  | 'putPending'
  | 'takePending'
>

/** What a process asks of the commons that another keeps. */
export const commonsAnswers = (
  commons: Commons | undefined,
  onBeat: (replica: Parameters<Keeper['leave']>[0]) => void,
): CommonsAnswers => {
  const there = (): Commons => {
    if (commons) return commons
    throw new Error('Nothing is shared here.')
  }
  return {
    look: async () => commons?.look(),
    secret: async () => there().secret(),
    beat: async (sign) => {
      onBeat(sign.replica)
      return there().leases.beat(sign)
    },
    take: async (...asked) => there().leases.take(...asked),
    giveBack: async (...asked) => there().leases.giveBack(...asked),
    standing: async (leaseMs) => there().leases.read(leaseMs),
    release: async (name) => there().leases.release(name),
    leave: async (replica) => there().leases.leave(replica),
    draw: async (...asked) => there().buckets.draw(...asked),
    getSession: async (sid) => there().sessions.get(sid),
    putSession: async (...asked) => there().sessions.put(...asked),
    endSession: async (...asked) => there().sessions.end(...asked),
    sessionChanges: async () => there().sessions.changes(),
    putPending: async (...asked) => there().pending.put(...asked),
    takePending: async (id) => there().pending.take(id),
  }
}

/** What runs once runs where the data is kept: with that process it would end anyway. */
export const withoutLeases = (commons: Commons | undefined): Commons | undefined =>
  commons && {
    ...commons,
    leases: {
      ...commons.leases,
      take: async () => undefined,
      giveBack: async () => {},
    },
  }

import { GatewayError } from '../errors.js'
import type { ClientPeer } from '../mcp/client/client-peer.js'
import type { Clock } from '../model/clock.js'

export interface CallerSessions<Signing = undefined> {
  /**
   * The session of this key, made when first asked for; `caller` is who has it, where a caller may have several, and
   * `signing` by what it is signed.
   */
  of(key: string, caller?: string, signing?: Signing): Promise<ClientPeer>
  /** Ends those of this caller, whatever is on its way by them: what signed them is gone. */
  end(caller: string): void
  readonly size: number
  close(): Promise<void>
}

export interface CallerSessionOptions<Signing = undefined> {
  readonly make: (key: string, onClose: () => void, signing: Signing | undefined) => Promise<ClientPeer>
  readonly clock: Clock
  /** Default 100: the one unused for longest goes, of a caller with several first. One in use never does. */
  readonly most?: number | undefined
  /** Of one caller. Default 8: a client does not change what it can do, so more are an attempt on the others' (T39). */
  readonly mostPerCaller?: number | undefined
  /** Default 10 minutes. */
  readonly idleMs?: number | undefined
}

/**
 * Legacy sessions by caller. Sharing one leaks state between users; one per call costs a handshake each time. So: pooled
 * by caller, capped, let go when idle.
 */
export const createCallerSessions = <Signing = undefined>({
  make,
  clock,
  most = 100,
  mostPerCaller = 8,
  idleMs = 600_000,
}: CallerSessionOptions<Signing>): CallerSessions<Signing> => {
  const sessions = new Map<string, CallerSession>()
  let cancelSweep: (() => void) | undefined

  const drop = (key: string): void => {
    const session = sessions.get(key)
    sessions.delete(key)
    session?.peer.then((peer) => peer.close()).catch(() => {})
  }
  const idle = (): [string, CallerSession][] => [...sessions].filter(([, session]) => !isInUse(session))
  const countOf = (caller: string): number => [...sessions.values()].filter((each) => each.caller === caller).length
  /** Room for one more of this caller; false where nothing that is in the way may go. */
  const makeRoom = (caller: string): boolean => {
    const isFull = countOf(caller) >= mostPerCaller
    if (!isFull && sessions.size < most) return true
    const going = isFull
      ? idle().find(([, each]) => each.caller === caller)
      : (idle().find(([, each]) => countOf(each.caller) > 1) ?? idle()[0])
    if (going) drop(going[0])
    return going !== undefined
  }
  const begin = (key: string, signing: Signing | undefined): Promise<ClientPeer> => {
    // By identity: one that was let go may end when its successor is already there.
    const forget = (): void => {
      if (sessions.get(key)?.peer === peer) sessions.delete(key)
    }
    const peer = make(key, forget, signing)
    // One that could not be made is not kept: the next call tries anew.
    peer.catch(forget)
    return peer
  }
  const sweep = (): void => {
    cancelSweep = undefined
    const oldest = clock.now() - idleMs
    for (const [caller, session] of [...sessions]) {
      // A call may take longer than this, above all one that asks somebody.
      if (isInUse(session)) session.lastUsed = clock.now()
      else if (session.lastUsed <= oldest) drop(caller)
    }
    if (sessions.size > 0) cancelSweep = clock.after(idleMs, sweep)
  }

  return {
    of: (key, caller = key, signing = undefined) => {
      const known = sessions.get(key)
      if (!known && !makeRoom(caller)) return Promise.reject(noRoom())
      const session = known ?? newCallerSession(caller, begin(key, signing))
      session.lastUsed = clock.now()
      sessions.delete(key)
      sessions.set(key, session)
      cancelSweep ??= clock.after(idleMs, sweep)
      return session.peer
    },
    end: (caller) => {
      for (const [key, session] of [...sessions]) if (session.caller === caller) drop(key)
    },
    get size() {
      return sessions.size
    },
    close: async () => {
      cancelSweep?.()
      cancelSweep = undefined
      const peers = [...sessions.values()].map(async ({ peer }) => (await peer).close())
      sessions.clear()
      await Promise.allSettled(peers)
    },
  }
}

interface CallerSession {
  readonly caller: string
  readonly peer: Promise<ClientPeer>
  made: ClientPeer | undefined
  lastUsed: number
}

/** Somebody waits for it, or for an answer by it. */
const isInUse = ({ made }: CallerSession): boolean => made === undefined || made.inFlight > 0

const noRoom = (): GatewayError =>
  new GatewayError('OVERLOADED', 'As many sessions as allowed are in use at this source; try again shortly.', {
    retryAfterMs: 1000,
    notSent: true,
  })

const newCallerSession = (caller: string, peer: Promise<ClientPeer>): CallerSession => {
  const session: CallerSession = { caller, peer, made: undefined, lastUsed: 0 }
  peer.then(
    (made) => {
      session.made = made
    },
    () => {},
  )
  return session
}

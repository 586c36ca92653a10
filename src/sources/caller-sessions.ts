import type { ClientPeer } from '../mcp/client/client-peer.js'
import type { Clock } from '../model/clock.js'

export interface CallerSessions {
  /** This caller's own session, made when first asked for. */
  of(caller: string): Promise<ClientPeer>
  readonly size: number
  close(): Promise<void>
}

export interface CallerSessionOptions {
  readonly make: (caller: string, onClose: () => void) => Promise<ClientPeer>
  readonly clock: Clock
  /** Default 100: the one unused for longest goes. */
  readonly most?: number | undefined
  /** Default 10 minutes. */
  readonly idleMs?: number | undefined
}

/**
 * Legacy sessions by caller. Sharing one leaks state between users; one per call costs a handshake each time. So: pooled
 * by caller, capped, let go when idle.
 */
export const createCallerSessions = ({
  make,
  clock,
  most = 100,
  idleMs = 600_000,
}: CallerSessionOptions): CallerSessions => {
  const sessions = new Map<string, CallerSession>()
  let cancelSweep: (() => void) | undefined

  const drop = (caller: string): void => {
    const session = sessions.get(caller)
    sessions.delete(caller)
    session?.peer.then((peer) => peer.close()).catch(() => {})
  }
  const begin = (caller: string): Promise<ClientPeer> => {
    // By identity: one that was let go may end when its successor is already there.
    const forget = (): void => {
      if (sessions.get(caller)?.peer === peer) sessions.delete(caller)
    }
    const peer = make(caller, forget)
    // One that could not be made is not kept: the next call tries anew.
    peer.catch(forget)
    return peer
  }
  const sweep = (): void => {
    cancelSweep = undefined
    const oldest = clock.now() - idleMs
    for (const [caller, session] of [...sessions]) {
      // A call may take longer than this, above all one that asks somebody.
      if (session.made && session.made.inFlight > 0) session.lastUsed = clock.now()
      else if (session.lastUsed <= oldest) drop(caller)
    }
    if (sessions.size > 0) cancelSweep = clock.after(idleMs, sweep)
  }

  return {
    of: (caller) => {
      const known = sessions.get(caller)
      const session = known ?? newCallerSession(begin(caller))
      session.lastUsed = clock.now()
      sessions.delete(caller)
      sessions.set(caller, session)
      if (sessions.size > most) drop(sessions.keys().next().value as string)
      cancelSweep ??= clock.after(idleMs, sweep)
      return session.peer
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
  readonly peer: Promise<ClientPeer>
  made: ClientPeer | undefined
  lastUsed: number
}

const newCallerSession = (peer: Promise<ClientPeer>): CallerSession => {
  const session: CallerSession = { peer, made: undefined, lastUsed: 0 }
  peer.then(
    (made) => {
      session.made = made
    },
    () => {},
  )
  return session
}

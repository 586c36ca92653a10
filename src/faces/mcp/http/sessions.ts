import { randomUUID } from 'node:crypto'
import type { SseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import { createClientSession, type OwnedSession } from '../client-session.js'
import { RunningRequests } from '../in-flight.js'

/** What a legacy client's handshake left behind. Modern clients have none of this. */
export interface HttpSession {
  readonly id: string
  /** Whose it is: another caller's use of the id is answered as if it did not exist (T8). */
  readonly owner: string
  readonly profile: string
  readonly inFlight: RunningRequests
  readonly client: OwnedSession
  /** The stream on which it hears of changes, if it opened one. */
  stream: SseResponse | undefined
  lastUsed: number
}

export interface Sessions {
  create(owner: string, profile: string): HttpSession
  /** The session, if it is this caller's and on this profile's path. Counts as use. */
  find(id: string, owner: string, profile: string): HttpSession | undefined
  end(session: HttpSession): void
  each(visit: (session: HttpSession) => void): void
  readonly size: number
  close(): void
}

export interface SessionLimits {
  /** Default 1,000: the one unused for longest makes room (F33). */
  readonly most?: number | undefined
  /** Default 30 minutes. */
  readonly idleMs?: number | undefined
  /** Requests of one session at once. Default 256. */
  readonly inFlight?: number | undefined
}

export const createSessions = (
  clock: Clock,
  { most = 1000, idleMs = 30 * 60_000, inFlight = 256 }: SessionLimits = {},
): Sessions => {
  // In order of last use: the first is the one to go.
  const sessions = new Map<string, HttpSession>()
  let cancelSweep = clock.after(idleMs, sweep)

  function sweep(): void {
    const oldest = clock.now() - idleMs
    for (const session of [...sessions.values()]) {
      if (session.lastUsed > oldest) break
      // Someone who listens is there, however quiet.
      if (session.stream?.open || session.inFlight.size > 0) touch(session)
      else end(session)
    }
    cancelSweep = clock.after(Math.min(idleMs, 60_000), sweep)
  }
  const touch = (session: HttpSession): void => {
    session.lastUsed = clock.now()
    sessions.delete(session.id)
    sessions.set(session.id, session)
  }
  const end = (session: HttpSession): void => {
    if (!sessions.delete(session.id)) return
    session.stream?.end()
    session.inFlight.cancelAll()
    session.client.close()
  }
  const makeRoom = (): void => {
    for (const session of sessions.values()) {
      if (sessions.size < most) return
      end(session)
    }
  }

  return {
    create: (owner, profile) => {
      makeRoom()
      const session: HttpSession = {
        id: randomUUID(),
        owner,
        profile,
        inFlight: new RunningRequests(inFlight),
        client: createClientSession(clock, (text) => session.stream?.send(text)),
        stream: undefined,
        lastUsed: clock.now(),
      }
      sessions.set(session.id, session)
      return session
    },
    find: (id, owner, profile) => {
      const session = sessions.get(id)
      if (!session || session.owner !== owner || session.profile !== profile) return undefined
      touch(session)
      return session
    },
    end,
    each: (visit) => {
      for (const session of sessions.values()) visit(session)
    },
    get size() {
      return sessions.size
    },
    close: () => {
      cancelSweep()
      for (const session of [...sessions.values()]) end(session)
    },
  }
}

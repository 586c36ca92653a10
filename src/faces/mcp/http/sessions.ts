import { randomUUID } from 'node:crypto'
import type { SseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import { type Ear, OwnedSession } from '../client-session.js'
import { RunningRequests } from '../in-flight.js'

/** What a legacy client's handshake left behind. Modern clients have none of this. */
export class HttpSession implements Ear {
  readonly id = randomUUID() as string
  /** Whose it is: another caller's use of the id is answered as if it did not exist (T8). */
  readonly owner: string
  readonly profile: string
  readonly inFlight: RunningRequests
  readonly client: OwnedSession
  /** The stream on which it hears of changes, if it opened one. */
  stream: SseResponse | undefined
  lastUsed: number
  /** Its neighbours in the order of use. */
  older: HttpSession | undefined
  newer: HttpSession | undefined

  constructor(clock: Clock, owner: string, profile: string, mostRequests: number) {
    this.owner = owner
    this.profile = profile
    this.inFlight = new RunningRequests(mostRequests)
    this.client = new OwnedSession(clock, this)
    this.lastUsed = clock.now()
  }

  /** Someone who listens is there, however quiet. */
  get isInUse(): boolean {
    return (this.stream?.open ?? false) || this.inFlight.size > 0
  }

  send(text: string): void {
    this.stream?.send(text)
  }
}

export interface SessionLimits {
  /** Default 10,000: the one unused for longest makes room (F33). */
  readonly maxSessions?: number | undefined
  /** Default 30 minutes. */
  readonly sessionIdleMs?: number | undefined
  /** Requests of one session at once. Default 256. */
  readonly inFlight?: number | undefined
}

const sweepMs = 60_000

/** The sessions of one endpoint, in the order of last use by links from one to the next: moving one in a Map would leave a hole for each call. */
export class Sessions {
  readonly #clock: Clock
  readonly #mostRequests: number
  readonly #sessions = new Map<string, HttpSession>()
  #most = 0
  #idleMs = 0
  #oldest: HttpSession | undefined
  #newest: HttpSession | undefined
  #cancelSweep: () => void

  constructor(clock: Clock, limits: SessionLimits = {}) {
    this.#clock = clock
    this.#mostRequests = limits.inFlight ?? 256
    this.limit(limits)
    this.#cancelSweep = this.#sweepLater()
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Counts from the next session and the next look for idle ones on. */
  limit({ maxSessions = 10_000, sessionIdleMs = 30 * 60_000 }: SessionLimits): void {
    this.#most = maxSessions
    this.#idleMs = sessionIdleMs
  }

  /** A new one; undefined where as many as there may be are in use. */
  create(owner: string, profile: string): HttpSession | undefined {
    if (!this.#makeRoom()) return undefined
    const session = new HttpSession(this.#clock, owner, profile, this.#mostRequests)
    this.#sessions.set(session.id, session)
    this.#append(session)
    return session
  }

  /** The session, if it is this caller's and on this profile's path. Counts as use. */
  find(id: string, owner: string, profile: string): HttpSession | undefined {
    const session = this.#sessions.get(id)
    if (!session || session.owner !== owner || session.profile !== profile) return undefined
    this.#touch(session)
    return session
  }

  end(session: HttpSession): void {
    if (!this.#sessions.delete(session.id)) return
    this.#unlink(session)
    session.stream?.end()
    session.inFlight.cancelAll()
    session.client.close()
  }

  each(visit: (session: HttpSession) => void): void {
    for (const session of this.#sessions.values()) visit(session)
  }

  close(): void {
    this.#cancelSweep()
    for (const session of [...this.#sessions.values()]) this.end(session)
  }

  /** Those unused for longest go; one that is in use never does. */
  #makeRoom(): boolean {
    let session = this.#oldest
    while (session && this.#sessions.size >= this.#most) {
      const { newer } = session as HttpSession
      if (!session.isInUse) this.end(session)
      session = newer
    }
    return this.#sessions.size < this.#most
  }

  #sweepLater(): () => void {
    return this.#clock.after(Math.min(this.#idleMs, sweepMs), () => this.#sweep())
  }

  #sweep(): void {
    const idleSince = this.#clock.now() - this.#idleMs
    for (let session = this.#oldest; session && session.lastUsed <= idleSince; session = this.#oldest) {
      if (session.isInUse) this.#touch(session)
      else this.end(session)
    }
    this.#cancelSweep = this.#sweepLater()
  }

  #touch(session: HttpSession): void {
    session.lastUsed = this.#clock.now()
    if (session === this.#newest) return
    this.#unlink(session)
    this.#append(session)
  }

  #append(session: HttpSession): void {
    session.older = this.#newest
    if (this.#newest) this.#newest.newer = session
    else this.#oldest = session
    this.#newest = session
  }

  #unlink(session: HttpSession): void {
    const { older, newer } = session
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
    session.older = undefined
    session.newer = undefined
  }
}

import { randomUUID } from 'node:crypto'
import type { GatewayError } from '../../../errors.js'
import type { HttpExchange } from '../../../http/route.js'
import { declaredCapabilities } from '../../../mcp/capabilities.js'
import type { SseResponse } from '../../../mcp/server/sse-response.js'
import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import type { JsonObject } from '../../../model/json.js'
import type { Share, Shares } from '../../../model/shares.js'
import { type Ear, OwnedSession, type SessionOwner } from '../client-session.js'
import { RunningRequests } from '../in-flight.js'
import type { Passing } from './passing.js'

/** What a legacy client's handshake left behind. Modern clients have none of this. */
export class HttpSession implements Ear {
  readonly id = randomUUID() as string
  readonly profile: string
  readonly inFlight: RunningRequests
  readonly client: OwnedSession
  /** Where it stands among the sessions of its caller. */
  readonly line: OwnerLine
  /** The stream on which it hears of changes, if it opened one. */
  stream: SseResponse | undefined
  lastUsed: number
  /** Its neighbours in the order of use. */
  older: HttpSession | undefined
  newer: HttpSession | undefined

  constructor(clock: Clock, line: OwnerLine, profile: string, mostRequests: number) {
    this.line = line
    this.profile = profile
    this.inFlight = new RunningRequests(mostRequests)
    this.client = new OwnedSession(clock, this, line)
    this.lastUsed = clock.now()
  }

  /** Whose it is: another caller's use of the id is answered as if it did not exist (T8). */
  get owner(): string {
    return this.line.caller
  }

  /** Someone who listens is there, however quiet. */
  get isInUse(): boolean {
    return (this.stream?.open ?? false) || this.inFlight.size > 0
  }

  send(text: string): void {
    this.stream?.send(text)
  }

  /** Its stream may be at another replica. */
  reach(text: string): void {
    if (this.stream?.open) this.stream.send(text)
    else this.line.passing?.tell('session', { session: this.id, text })
  }
}

/** The sessions of one caller, in the order of last use by links from one to the next: moving one in a Map would leave a hole for each call. */
class OwnerLine implements SessionOwner {
  size = 0
  oldest: HttpSession | undefined
  newest: HttpSession | undefined

  constructor(
    readonly caller: string,
    readonly shares: Shares,
    readonly passing: Passing | undefined,
  ) {}

  /** In the ids of questions to its clients, whose answers may come to another. */
  get replica(): string | undefined {
    return this.passing?.replica
  }

  append(session: HttpSession): void {
    this.size += 1
    session.older = this.newest
    if (this.newest) this.newest.newer = session
    else this.oldest = session
    this.newest = session
  }

  unlink(session: HttpSession): void {
    this.size -= 1
    const { older, newer } = session
    if (older) older.newer = newer
    else this.oldest = newer
    if (newer) newer.older = older
    else this.newest = older
    session.older = undefined
    session.newer = undefined
  }

  /** The one unused for longest that nobody uses now. */
  get oldestIdle(): HttpSession | undefined {
    for (let session = this.oldest; session; session = session.newer) if (!session.isInUse) return session
    return undefined
  }
}

export interface SessionLimits {
  /** Of all callers. Default 10,000: the caller with the most loses the one unused for longest (F33). */
  readonly maxSessions?: number | undefined
  /** Of one caller. Default 1,000: the caller's own unused for longest makes room (S6). */
  readonly maxSessionsPerCaller?: number | undefined
  /** Default 30 minutes. */
  readonly sessionIdleMs?: number | undefined
  /** Requests of one session at once. Default 256. */
  readonly inFlight?: number | undefined
}

const sweepMs = 60_000

/** The sessions of one endpoint, by caller. One that is in use never has to go. */
export class Sessions {
  readonly #clock: Clock
  readonly #mostRequests: number
  readonly #sessions = new Map<string, HttpSession>()
  readonly #lines = new Map<string, OwnerLine>()
  readonly #shares: Shares
  readonly #share: Share
  readonly #passing: Passing | undefined
  #idleMs = 0
  #cancelSweep: () => void

  constructor(clock: Clock, shares: Shares, limits: SessionLimits = {}, passing?: Passing | undefined) {
    this.#passing = passing
    this.#clock = clock
    this.#shares = shares
    this.#share = shares.of('sessions')
    this.#mostRequests = limits.inFlight ?? 256
    this.limit(limits)
    this.#cancelSweep = this.#sweepLater()
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Counts from the next session and the next look for idle ones on. */
  limit({ maxSessions, maxSessionsPerCaller, sessionIdleMs = 30 * 60_000 }: SessionLimits): void {
    this.#share.limit({ inAll: maxSessions, perCaller: maxSessionsPerCaller })
    this.#idleMs = sessionIdleMs
  }

  /** A new one for a handshake, of which nothing is kept where it says too much (S5). Throws why there is none. */
  begin(owner: string, profile: string, params: JsonObject | undefined): HttpSession {
    const capabilities = declaredCapabilities(params?.capabilities)
    const session = this.create(owner, profile)
    if (!(session instanceof HttpSession)) throw session
    session.client.capabilities = capabilities
    return session
  }

  /** A new one, or why there is none: as many as there may be are in use. */
  create(owner: string, profile: string): HttpSession | GatewayError {
    const refused = this.#makeRoom(owner)
    if (refused) return refused
    this.#share.add(owner, 1)
    const session = new HttpSession(this.#clock, this.#lineOf(owner), profile, this.#mostRequests)
    this.#sessions.set(session.id, session)
    session.line.append(session)
    return session
  }

  /** The session, if it is this caller's and on this profile's path. Counts as use. */
  find(id: string, owner: string, profile: string): HttpSession | undefined {
    const session = this.#sessions.get(id)
    if (!session || session.owner !== owner || session.profile !== profile) return undefined
    this.#touch(session)
    return session
  }

  /** One that is known here, whosever it is: for other replicas, which tell of it. */
  known(id: unknown): HttpSession | undefined {
    return typeof id === 'string' ? this.#sessions.get(id) : undefined
  }

  end(session: HttpSession): void {
    if (!this.#sessions.delete(session.id)) return
    const { line } = session
    line.unlink(session)
    if (line.size === 0) this.#lines.delete(line.caller)
    this.#share.give(line.caller)
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

  /** A caller past its own bound pays with its own sessions; past that of all, whoever has the most does. */
  #makeRoom(owner: string): GatewayError | undefined {
    const share = this.#share
    while (share.of(owner) >= share.perCaller) {
      const idle = this.#lines.get(owner)?.oldestIdle
      if (!idle) return share.refuse(owner, 'caller')
      this.end(idle)
    }
    while (share.total >= share.inAll) {
      const idle = this.#leastMissed(owner)
      if (!idle) return share.refuse(owner, 'board')
      this.end(idle)
    }
    return undefined
  }

  /** An idle session of whoever has the most, and more than the one who asks; else of the one who asks. */
  #leastMissed(owner: string): HttpSession | undefined {
    const own = this.#lines.get(owner)
    const more = (line: OwnerLine): boolean => line === own || line.size > (own?.size ?? 0)
    const bySize = [...this.#lines.values()].filter(more).sort((one, other) => other.size - one.size)
    for (const line of bySize) {
      const idle = line.oldestIdle
      if (idle) return idle
    }
    return undefined
  }

  #lineOf(owner: string): OwnerLine {
    const known = this.#lines.get(owner)
    if (known) return known
    const made = new OwnerLine(owner, this.#shares, this.#passing)
    this.#lines.set(owner, made)
    return made
  }

  #sweepLater(): () => void {
    return this.#clock.after(Math.min(this.#idleMs, sweepMs), () => this.#sweep())
  }

  #sweep(): void {
    const idleSince = this.#clock.now() - this.#idleMs
    for (const line of [...this.#lines.values()])
      for (let session = line.oldest; session && session.lastUsed <= idleSince; session = line.oldest) {
        if (session.isInUse) this.#touch(session)
        else this.end(session)
      }
    this.#cancelSweep = this.#sweepLater()
  }

  #touch(session: HttpSession): void {
    session.lastUsed = this.#clock.now()
    const { line } = session
    if (session === line.newest) return
    line.unlink(session)
    line.append(session)
  }
}

/** The session that a request names: undefined where it names none, `unknown` where it is not this caller's. */
export const sessionOf = (
  { request }: HttpExchange,
  { caller, profileName }: { readonly caller: Caller; readonly profileName: string },
  { sessions }: { readonly sessions: Sessions },
): HttpSession | 'unknown' | undefined => {
  const id = request.headers['mcp-session-id']
  if (id === undefined) return undefined
  return sessions.find(String(id), caller.id, profileName) ?? 'unknown'
}

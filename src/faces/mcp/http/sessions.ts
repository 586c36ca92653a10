import type { GatewayError } from '../../../errors.js'
import type { HttpExchange } from '../../../http/route.js'
import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import type { JsonObject } from '../../../model/json.js'
import type { Share, Shares } from '../../../model/shares.js'
import { isLevel } from '../methods/logging.js'
import { HttpSession, OwnerLine } from './http-session.js'
import type { Passing } from './passing.js'
import type { SessionFacts, SessionIds } from './session-ids.js'
import type { RememberedSession, SessionMemory } from './session-memory.js'

export interface SessionLimits {
  /** Of all callers. Default 10,000: the caller with the most loses the one unused for longest (F33). */
  readonly maxSessions?: number | undefined
  /** Of one caller. Default 1,000: the caller's own unused for longest makes room (S6). */
  readonly maxSessionsPerCaller?: number | undefined
  /** How long one stays in memory that nobody uses. Default 30 minutes. */
  readonly sessionIdleMs?: number | undefined
  /** How long an id is good. Default 24 hours. */
  readonly sessionMaxAgeMs?: number | undefined
  /** Requests of one session at once. Default 256. */
  readonly inFlight?: number | undefined
}

export interface SessionSurroundings {
  readonly clock: Clock
  readonly shares: Shares
  readonly ids: SessionIds
  readonly memory: SessionMemory
  readonly passing?: Passing | undefined
}

/** A session, why there is none, or undefined where there is no such. */
export type FoundSession = HttpSession | GatewayError | undefined

const sweepMs = 60_000
// Clocks of machines differ: what is remembered outlives what it is about.
const marginMs = 3_600_000

/** The sessions that this process has in memory, by caller. One that is in use never has to go; one that went comes back by its id. */
export class Sessions {
  readonly #clock: Clock
  readonly #ids: SessionIds
  readonly #memory: SessionMemory
  readonly #mostRequests: number
  readonly #sessions = new Map<string, HttpSession>()
  /** On their way back; of two requests at once one asks. */
  readonly #returning = new Map<string, Promise<FoundSession>>()
  readonly #lines = new Map<string, OwnerLine>()
  readonly #shares: Shares
  readonly #share: Share
  readonly #passing: Passing | undefined
  #idleMs = 0
  #maxAgeMs = 0
  #cancelSweep: () => void
  readonly #unfollow: () => void

  constructor({ clock, shares, ids, memory, passing }: SessionSurroundings, limits: SessionLimits = {}) {
    this.#passing = passing
    this.#clock = clock
    this.#ids = ids
    this.#memory = memory
    this.#shares = shares
    this.#share = shares.of('sessions')
    this.#mostRequests = limits.inFlight ?? 256
    this.limit(limits)
    this.#cancelSweep = this.#sweepLater()
    this.#unfollow = memory.follow((noted) => this.#heard(noted))
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Counts from the next session and the next look for idle ones on. */
  limit({
    maxSessions,
    maxSessionsPerCaller,
    sessionIdleMs = 30 * 60_000,
    sessionMaxAgeMs = 24 * 3_600_000,
  }: SessionLimits): void {
    this.#share.limit({ inAll: maxSessions, perCaller: maxSessionsPerCaller })
    this.#idleMs = sessionIdleMs
    this.#maxAgeMs = sessionMaxAgeMs
  }

  /** A new one for a handshake, of which nothing is kept where it says too much (S5). Throws why there is none. */
  begin(owner: string, profile: string, params: JsonObject | undefined): HttpSession {
    const session = this.#create(owner, profile, this.#ids.issue(owner, profile, params))
    if (!(session instanceof HttpSession)) throw session
    return session
  }

  /** The session, if it is this caller's and on this profile's path. Counts as use. A promise only for one that comes back. */
  find(id: string, owner: string, profile: string): FoundSession | Promise<FoundSession> {
    const session = this.#sessions.get(id)
    if (!session) return this.#return(id, owner, profile)
    if (session.line.caller !== owner || session.profile !== profile) return undefined
    this.#touch(session)
    if (session.lastUsed - session.bornAt <= this.#maxAgeMs) return session
    this.end(session)
    return undefined
  }

  /** One that is known here, whosever it is: for other replicas, which tell of it. */
  known(id: unknown): HttpSession | undefined {
    return typeof id === 'string' ? this.#sessions.get(id) : undefined
  }

  /** Its client wants it no more: from now on its id is good for nobody, here and elsewhere. */
  async finish(session: HttpSession): Promise<void> {
    this.end(session)
    await this.#memory.end(session.facts.sid, this.#untilOf(session))
  }

  /** What is remembered of it beside its id. */
  recall({ facts }: HttpSession): RememberedSession | undefined | Promise<RememberedSession | undefined> {
    return this.#memory.recall(facts.sid)
  }

  /** Let go of here; its id brings it back. */
  end(session: HttpSession): void {
    if (this.#sessions.get(session.id) !== session) return
    this.#sessions.delete(session.id)
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
    this.#unfollow()
    this.#cancelSweep()
    for (const session of [...this.#sessions.values()]) this.end(session)
  }

  /** A new one, or why there is none: as many as there may be are in use. */
  #create(owner: string, profile: string, facts: SessionFacts): HttpSession | GatewayError {
    const refused = this.#makeRoom(owner)
    if (refused) return refused
    this.#share.add(owner, 1)
    const session = new HttpSession(
      this.#clock,
      this.#lineOf(owner),
      profile,
      facts,
      this.#clock.now() - this.#ids.ageMs(facts),
      this.#mostRequests,
      (each, changes) => this.#keep(each, changes),
    )
    this.#sessions.set(session.id, session)
    session.line.append(session)
    return session
  }

  /** One that began elsewhere, or before we did, or that had to make room: as its id says, and what is remembered of it. */
  #return(id: string, owner: string, profile: string): FoundSession | Promise<FoundSession> {
    const facts = this.#ids.open(id, owner, profile)
    if (!facts || this.#ids.ageMs(facts) > this.#maxAgeMs) return undefined
    const already = this.#returning.get(id)
    if (already) return already
    const remembered = this.#memory.recall(facts.sid)
    const welcome = (known: RememberedSession | undefined): FoundSession => {
      if (known?.ended) return undefined
      const session = this.#sessions.get(id) ?? this.#create(owner, profile, facts)
      if (session instanceof HttpSession && isLevel(known?.state.level)) session.client.logLevel = known.state.level
      return session
    }
    if (!(remembered instanceof Promise)) return welcome(remembered)
    const returning = remembered.then(welcome).finally(() => this.#returning.delete(id))
    this.#returning.set(id, returning)
    return returning
  }

  /** Another place noted something of sessions, which may be here too. */
  #heard(noted: ReadonlyMap<string, RememberedSession>): void {
    for (const session of [...this.#sessions.values()]) {
      const remembered = noted.get(session.facts.sid)
      if (!remembered) continue
      if (remembered.ended) this.end(session)
      else if (isLevel(remembered.state.level)) session.client.logLevel = remembered.state.level
      if (!remembered.ended) session.onRemembered?.(remembered)
    }
  }

  #keep(session: HttpSession, changes: JsonObject): void {
    const [key = ''] = Object.keys(changes)
    if (key.length > longestKey || key.includes('\0') || session.client.followed.size > mostFollowed) return
    this.#memory.note(session.facts.sid, changes, this.#untilOf(session))
  }

  #untilOf({ facts }: HttpSession): number {
    return facts.bornMs + this.#maxAgeMs + marginMs
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

// Of one session; what it follows beyond is followed here, and only for as long as it is here.
const mostFollowed = 128
const longestKey = 512

/** The session that a request names: undefined where it names none, `unknown` where it is not this caller's. */
export const sessionOf = (
  { request }: HttpExchange,
  { caller, profileName }: { readonly caller: Caller; readonly profileName: string },
  { sessions }: { readonly sessions: Sessions },
): NamedSession | Promise<NamedSession> => {
  const id = request.headers['mcp-session-id']
  if (id === undefined) return undefined
  const found = sessions.find(String(id), caller.id, profileName)
  return found instanceof Promise ? found.then((each) => each ?? 'unknown') : (found ?? 'unknown')
}

export type NamedSession = FoundSession | 'unknown'

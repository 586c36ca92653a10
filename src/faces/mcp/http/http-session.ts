import type { SseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import type { JsonObject } from '../../../model/json.js'
import type { Shares } from '../../../model/shares.js'
import { type Ear, OwnedSession, type SessionOwner } from '../client-session.js'
import { RunningRequests } from '../in-flight.js'
import { originFrom } from '../origin.js'
import type { Passing } from './passing.js'
import type { SessionFacts } from './session-ids.js'
import type { RememberedSession } from './session-memory.js'

/**
 * A legacy client's session, while this process has it in memory. What its id says is enough to make it again, here or
 * elsewhere, so that nobody loses anything when it goes. Modern clients have none of this.
 */
export class HttpSession implements Ear {
  readonly facts: SessionFacts
  readonly profile: string
  readonly inFlight: RunningRequests
  readonly client: OwnedSession
  /** Where it stands among the sessions of its caller. */
  readonly line: OwnerLine
  /** The stream on which it hears of changes, if it opened one. */
  stream: SseResponse | undefined
  /** Told, while there is a stream, what was followed or no longer is at another place. */
  onRemembered: ((remembered: RememberedSession) => void) | undefined
  /** By our own clock. */
  readonly bornAt: number
  lastUsed: number
  readonly #keep: (session: HttpSession, changes: JsonObject) => void
  /** Its neighbours in the order of use. */
  older: HttpSession | undefined
  newer: HttpSession | undefined

  constructor(
    clock: Clock,
    line: OwnerLine,
    profile: string,
    facts: SessionFacts,
    bornAt: number,
    mostRequests: number,
    keep: (session: HttpSession, changes: JsonObject) => void,
  ) {
    this.line = line
    this.profile = profile
    this.facts = facts
    this.inFlight = new RunningRequests(mostRequests)
    this.client = new OwnedSession(clock, this, line)
    this.client.capabilities = facts.capabilities
    this.client.origin = originFrom('mcp', facts.version, facts.client)
    this.lastUsed = clock.now()
    this.bornAt = bornAt
    this.#keep = keep
  }

  get id(): string {
    return this.facts.id
  }

  /** The same at every replica. */
  get key(): string {
    return this.facts.sid
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

  kept(changes: JsonObject): void {
    this.#keep(this, changes)
  }
}

/** The sessions of one caller, in the order of last use by links from one to the next: moving one in a Map would leave a hole for each call. */
export class OwnerLine implements SessionOwner {
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

import { hash } from 'node:crypto'
import { messageOf } from '../errors.js'
import type { Identity } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import type { Note } from '../telemetry/deed.js'
import { systemActor } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import type { IdentityProvider, SignedIn } from './identity-provider.js'
import type { People } from './people.js'
import type { SessionEnd, SignInSession, SignInSessions } from './sessions.js'

export interface RecheckOptions {
  readonly sessions: SignInSessions
  readonly people: Pick<People, 'seen' | 'isEnded'>
  readonly provider: Pick<IdentityProvider, 'again'>
  /** How often the provider is asked about a session that is used. */
  readonly everyMs: () => number
  readonly clock: Clock
  readonly logger: Logger
  readonly note: Note
  /** Told that the provider says something else of somebody than it did. */
  readonly onNews?: ((now: Identity, before: Identity, session: SignInSession) => void) | undefined
}

export interface Rechecked extends SignInSessions {
  /** Since when the provider cannot be asked. */
  awaySince(): number | undefined
}

/** So long people go on while nobody can be asked about them. */
export const longestAwayMs = 24 * 60 * 60_000
/** Who asks has it for so long, before somebody else may. */
const turnMs = 60_000
/** How long a provider that was away is left alone, so that those who come do not pile up on it. */
const restMs = 30_000
/** How long it counts as away when nobody has asked since. */
const believedMs = 5 * 60_000
/** How long somebody who comes back after a while waits for the provider's word. */
export const mostWaitMs = 5000
const lookAgainMs = 100
const mostAtOnce = 8

/**
 * The same sessions, about whose people the identity provider is asked again while they are used: behind the request, and
 * before it only where they have been away for long. Whoever the provider no longer vouches for is signed out; while it
 * cannot be asked everybody goes on, for a day at most.
 */
export const withRecheck = (options: RecheckOptions): Rechecked => new RecheckedSessions(options)

class RecheckedSessions implements Rechecked {
  readonly #options: RecheckOptions
  readonly #sessions: SignInSessions
  readonly #clock: Clock
  readonly #asking = new Map<string, Promise<void>>()
  #awaySince: number | undefined
  #restsUntil = 0

  constructor(options: RecheckOptions) {
    this.#options = options
    this.#sessions = options.sessions
    this.#clock = options.clock
  }

  find(id: string): SignInSession | undefined {
    const found = this.#sessions.find(id)
    // Who has been away for long is found by who waits for the provider's word.
    if (!found || this.#mustWait(found)) return undefined
    if (!this.#counts(found)) return this.#outlived(found)
    this.#askBehind(found)
    return found
  }

  findFresh(id: string): SignInSession | undefined | Promise<SignInSession | undefined> {
    const found = this.#sessions.findFresh(id)
    return found && 'then' in found
      ? found.then((late) => late && this.#confirmed(late))
      : found && this.#confirmed(found)
  }

  begin: SignInSessions['begin'] = (session) => this.#sessions.begin(session)
  touch = (id: string): void => this.#sessions.touch(id)
  update: SignInSessions['update'] = (...change) => this.#sessions.update(...change)
  secretsOf: SignInSessions['secretsOf'] = (id) => this.#sessions.secretsOf(id)
  end = (id: string, why: SessionEnd): Promise<boolean> => this.#sessions.end(id, why)
  list = (): readonly SignInSession[] => this.#sessions.list()
  onEnd: SignInSessions['onEnd'] = (listener) => this.#sessions.onEnd(listener)
  awaySince = (): number | undefined => this.#awaySince

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#asking.values()])
    await this.#sessions[Symbol.asyncDispose]()
  }

  #confirmed(session: SignInSession): SignInSession | undefined | Promise<SignInSession | undefined> {
    return this.#mustWait(session) ? this.#waitFor(session) : this.find(session.id)
  }

  #mustWait(session: SignInSession): boolean {
    const hasBeenAway = session.isAskable && this.#ageOf(session) > 2 * this.#options.everyMs()
    // Nobody waits for a provider that was away a moment ago, unless its word is all that could let them in.
    if (!hasBeenAway || (this.#isAway() && this.#counts(session))) return false
    return this.#mayAsk(session) || this.#asking.has(session.id) || this.#isAskedElsewhere(session)
  }

  /** Somebody comes back after a while: what was true then may not be any more. */
  async #waitFor({ id, checkedAt }: SignInSession): Promise<SignInSession | undefined> {
    const until = this.#clock.now() + mostWaitMs
    const session = this.#sessions.find(id)
    if (session) this.#askBehind(session)
    const asked = this.#asking.get(id)
    if (asked) await Promise.race([asked, this.#pause(mostWaitMs)])
    // Another replica asks: its answer is a row that changes.
    while (this.#clock.now() < until) {
      const now = this.#sessions.find(id)
      if (!now || now.checkedAt !== checkedAt || !this.#isAskedElsewhere(now) || this.#isAway()) break
      await this.#pause(lookAgainMs)
    }
    const now = this.#sessions.find(id)
    return now && this.#counts(now) ? now : undefined
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve, true))
  }

  /** Nobody goes on for longer than a day after the provider last vouched for them, nor after they were ended here. */
  #counts(session: SignInSession): boolean {
    const { identity, createdAt } = session
    if (!identity) return true
    if (this.#options.people.isEnded(identity.id, createdAt)) return false
    return this.#ageOf(session) < longestAwayMs + this.#options.everyMs()
  }

  /** What nobody can ever be asked about does not come back; about the others the provider may still say yes. */
  #outlived(session: SignInSession): undefined {
    if (session.isAskable) this.#askBehind(session)
    else void this.#end(session).catch(() => {})
    return undefined
  }

  #ageOf({ checkedAt }: SignInSession): number {
    return this.#clock.wall() - checkedAt
  }

  #askBehind(session: SignInSession): void {
    if (!this.#mayAsk(session)) return
    const asking = this.#ask(session)
      .catch((error: unknown) => {
        this.#options.logger.log('warn', `A sign-in session cannot be looked at again: ${messageOf(error)}`)
      })
      .finally(() => this.#asking.delete(session.id))
    this.#asking.set(session.id, asking)
  }

  #mayAsk(session: SignInSession): boolean {
    const everyMs = this.#options.everyMs()
    const age = this.#ageOf(session)
    return (
      age >= earliest * everyMs &&
      session.isAskable === true &&
      age >= dueMs(session.id, everyMs) &&
      !this.#isAskedElsewhere(session) &&
      this.#clock.now() >= this.#restsUntil &&
      !this.#asking.has(session.id) &&
      // While it is away one is enough to find out that it is back.
      this.#asking.size < (this.#awaySince === undefined ? mostAtOnce : 1)
    )
  }

  #isAway(): boolean {
    return this.#awaySince !== undefined && this.#clock.now() < this.#restsUntil + believedMs
  }

  #isAskedElsewhere({ checkingUntil = 0 }: SignInSession): boolean {
    return checkingUntil > this.#clock.wall()
  }

  async #ask({ id, checkedAt }: SignInSession): Promise<void> {
    // One in the whole fleet: refresh tokens are good once, and two who show the same one look like a thief.
    const claimed = await this.#sessions.update(id, (session) =>
      this.#isAskedElsewhere(session) || session.checkedAt !== checkedAt
        ? undefined
        : { ...session, checkingUntil: this.#clock.wall() + turnMs },
    )
    if (!claimed) return
    const secrets = await this.#sessions.secretsOf(id)
    const refreshToken = secrets?.refreshToken
    if (refreshToken === undefined) return
    const said = await this.#options.provider.again(refreshToken)
    if (said === 'away') return this.#rest()
    this.#awaySince = undefined
    const isOver = said === 'ended' || said.identity.id !== claimed.identity?.id
    return isOver ? this.#end(claimed) : this.#renew(claimed, said)
  }

  #rest(): void {
    this.#awaySince ??= this.#clock.wall()
    this.#restsUntil = this.#clock.now() + restMs * (1 + Math.random())
  }

  async #end(session: SignInSession): Promise<void> {
    if (!(await this.#sessions.end(session.id, 'provider'))) return
    this.#options.note({
      ...{ kind: 'sign-out', action: 'provider', actor: systemActor, outcome: 'ok' },
      on: { type: 'person', id: session.identity?.id ?? '' },
    })
  }

  async #renew({ id, identity: before, ...was }: SignInSession, said: SignedIn): Promise<void> {
    const { identity, refreshToken, accessToken, idToken, expiresAt } = said
    const session = await this.#sessions.update(
      id,
      (now) => ({ ...now, identity, checkedAt: this.#clock.wall(), checkingUntil: undefined }),
      { refreshToken, accessToken, idToken, expiresAt },
    )
    if (!session || !before) return
    this.#options.people.seen(identity)
    if (sameGroups(before, identity)) return
    this.#options.note({
      ...{ kind: 'person', action: 'groups', actor: systemActor, outcome: 'ok' },
      on: { type: 'person', id: identity.id },
      before: shown(before),
      after: shown(identity),
    })
    this.#options.onNews?.(identity, before, { ...was, id, identity })
  }
}

const earliest = 0.8

/** Spread, so that those who signed in together do not all ask at once; never later than was promised. */
const dueMs = (id: string, everyMs: number): number => {
  const spread = Number.parseInt(hash('sha256', id).slice(0, 4), 16) / 0xffff
  return everyMs * (earliest + (1 - earliest) * spread)
}

const sameGroups = ({ groups: one = [] }: Identity, { groups: other = [] }: Identity): boolean =>
  one.length === other.length && one.every((group) => other.includes(group))

const shown = ({ groups = [] }: Identity): string => groups.join(' ').slice(0, 256)

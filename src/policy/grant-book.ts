import { randomBytes } from 'node:crypto'
import { type GatewayError, messageOf } from '../errors.js'
import type { CancelSignal } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import type { SharedDocuments } from '../storage/store.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import {
  answerProblem,
  approvalDenied,
  approvalRequired,
  canBeAnswered,
  type GrantAnswer,
  noSuchApproval,
  tooLate,
  withAnswer,
} from './grant-answers.js'
import { GrantArguments } from './grant-arguments.js'
import { GrantNews } from './grant-news.js'
import { full, GrantRows, grantBounds, isCopy } from './grant-rows.js'
import {
  type AskingFacts,
  assertPlain,
  type BoundCall,
  bindingOf,
  type CallGrant,
  deniesAt,
  looseBindingOf,
  spentAt,
  stateAt,
  withoutArguments,
} from './grants.js'

/** A step in the life of a request, told once, by the process that took it. */
export interface GrantEvent {
  readonly type: 'asked' | 'granted' | 'denied' | 'expired' | 'spent'
  readonly grant: CallGrant
}

export interface GrantBookOptions {
  /** Where requests and answers are kept; other processes may write there too. */
  readonly documents: SharedDocuments
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /** `approvals.keepArguments`. Default: they are kept until the request is answered. */
  readonly keepArguments?: (() => boolean) | undefined
  /** Whether the word of this approver still counts: their key may have been revoked since. Default: it does. */
  readonly stillCounts?: ((answeredBy: string) => boolean | Promise<boolean>) | undefined
  /** How often to look for answers given elsewhere while somebody waits for one. Default 500. */
  readonly followMs?: number | undefined
}

/**
 * Who was asked about which call, and what they said. What is open lies under its binding, so that one call has one request
 * and a yes is found by the call itself; every step changes that one document with no other write in between, so of two
 * processes that spend one grant, one does.
 */
export class GrantBook implements AsyncDisposable {
  readonly #rows: GrantRows
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #options: GrantBookOptions
  readonly #arguments: GrantArguments
  readonly #news: GrantNews
  #listeners: readonly ((event: GrantEvent) => void)[] = []
  /** Ids of what was asked here, by binding: what a call can be told that cannot wait for the store. */
  readonly #askedHere = new Map<string, string>()
  #cancelSweep: (() => void) | undefined

  constructor(options: GrantBookOptions) {
    this.#options = options
    this.#rows = new GrantRows(options.documents)
    this.#clock = options.clock
    this.#logger = options.logger ?? silentLogger
    this.#arguments = new GrantArguments(options.keepArguments ?? (() => true))
    this.#news = new GrantNews({
      clock: options.clock,
      isNew: () => this.#rows.refresh(),
      everyMs: options.followMs ?? 500,
      onError: (error) => this.#tellFailure(error),
    })
  }

  onEvent(listener: (event: GrantEvent) => void): () => void {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener)
    }
  }

  /**
   * Resolves with the grant that this call has spent; it may then be sent, once. Rejects with APPROVAL_REQUIRED where somebody
   * has to answer first, with APPROVAL_DENIED where they said no, and as the store does where it cannot be asked.
   */
  async admit(call: BoundCall, facts: AskingFacts = {}): Promise<CallGrant> {
    assertPlain(call.args)
    const binding = bindingOf(call)
    const loose = call.terms.remember.includes('minutes') ? looseBindingOf(call) : undefined
    // More than once only where the yes comes between looking for it and asking for it.
    for (let turn = 0; turn < mostTurns; turn++) {
      const spent = (await this.#spend(binding)) ?? (loose === undefined ? undefined : await this.#spend(loose))
      if (spent) return this.#unchanged(call, binding, spent)
      const told = await this.#ask(call, binding, facts)
      if (told) throw told
    }
    throw approvalRequired(call)
  }

  /** For a call that cannot wait for the store: it is asked about, and does not pass. */
  refuseNow(call: BoundCall, facts: AskingFacts = {}): GatewayError {
    assertPlain(call.args)
    const binding = bindingOf(call)
    this.#ask(call, binding, facts).catch((error) => this.#tellFailure(error))
    return approvalRequired({ ...call, id: this.#askedHere.get(binding) }, 'by an asynchronous call')
  }

  /** All that is known: what waits for an answer first, the newest first. */
  async list(): Promise<readonly CallGrant[]> {
    const now = this.#clock.wall()
    const rows = await this.#rows.all()
    if (rows.some(({ grant }) => grant.state !== stateAt(grant, now))) this.#sweep()
    const rank = ({ state }: CallGrant): number => (state === 'asked' ? 0 : 1)
    return rows
      .filter((row) => !isCopy(row))
      .map(({ grant }) => ({ ...grant, state: stateAt(grant, now), args: this.#arguments.of(grant), link: undefined }))
      .sort((a, b) => rank(a) - rank(b) || b.askedAt - a.askedAt || (a.id < b.id ? -1 : 1))
  }

  /** By its id, or by how the id begins where only one does. */
  async find(id: string): Promise<CallGrant | undefined> {
    const all = await this.list()
    const exact = all.find((grant) => grant.id === id)
    if (exact || id.length < 4) return exact
    const [first, ...more] = all.filter((grant) => grant.id.startsWith(id))
    return more.length === 0 ? first : undefined
  }

  /** The exact arguments of the last call of this tool to which somebody said yes here, for whoever compares. */
  lastGranted(tool: string): string | undefined {
    return this.#arguments.lastGranted(tool)
  }

  /** An answer to what is open, or the end of a yes that still holds. Rejects where it may not be given, or comes too late. */
  async answer(id: string, answer: GrantAnswer): Promise<CallGrant> {
    const known = await this.find(id)
    if (!known) throw noSuchApproval(id)
    const now = this.#clock.wall()
    const problem = answerProblem(known, answer)
    if (problem) throw problem
    const answered = withAnswer(known, answer, now)
    const isNo = answer.decision === 'deny'
    const accept = (there: CallGrant): CallGrant | undefined =>
      there.id === known.id && canBeAnswered(there, answer, now) ? answered : undefined
    if (!(await this.#rows.change(known.binding, accept))) throw tooLate(known)
    if (answered.holds === 'minutes') await this.#rows.copy(answered)
    else if (isNo) await this.#rows.change(known.loose, accept)
    if (isNo) this.#arguments.forget(known.id)
    else this.#arguments.granted(known)
    this.#tell(isNo ? 'denied' : 'granted', answered)
    return answered
  }

  /** Resolves when it is answered or over, when that much time has passed, or when the caller leaves. */
  async settled(id: string, waitMs: number, signal?: CancelSignal): Promise<CallGrant | undefined> {
    const until = this.#clock.now() + waitMs
    for (;;) {
      const grant = await this.find(id)
      const left = until - this.#clock.now()
      if (grant?.state !== 'asked' || left <= 0 || this.#news.isClosed || signal?.aborted) return grant
      await this.#news.next(Math.min(left, Math.max(1, grant.expiresAt - this.#clock.wall())), signal)
    }
  }

  /** Whoever asked wants it no more, so nobody has to answer; an answer that was given stays. */
  async withdraw(id: string): Promise<void> {
    const known = await this.find(id)
    const ended = known && (await this.#rows.withdraw(known))
    if (!ended) return
    this.#arguments.forget(ended.id)
    this.#tell('expired', ended)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#news.isClosed) return
    this.#cancelSweep?.()
    this.#news.close()
    await this.#rows.close()
  }

  async #spend(key: string): Promise<CallGrant | undefined> {
    const there = await this.#rows.get(key)
    const now = this.#clock.wall()
    if (!there || !(await this.#isGood(there, now))) return undefined
    const spent = await this.#rows.change(key, (current) =>
      current.id === there.id && stateAt(current, now) === 'granted' ? spentAt(current, now) : undefined,
    )
    if (spent) this.#tell('spent', spent)
    return spent
  }

  async #isGood(grant: CallGrant, now: number): Promise<boolean> {
    if (stateAt(grant, now) !== 'granted') return false
    return (await this.#options.stillCounts?.(grant.answeredBy ?? '')) !== false
  }

  // Whoever calls from this process could have changed its arguments while the store was asked.
  #unchanged(call: BoundCall, binding: string, spent: CallGrant): CallGrant {
    if (bindingOf(call) === binding) return spent
    throw approvalDenied(spent, 'its arguments changed while it was looked at')
  }

  /** What the caller is told, once the request is kept; undefined where a yes has come meanwhile. */
  async #ask(call: BoundCall, binding: string, facts: AskingFacts): Promise<GatewayError | undefined> {
    const now = this.#clock.wall()
    const there = await this.#rows.get(binding)
    if (there && deniesAt(there, now)) return approvalDenied(there)
    if (there && this.#isShared(there, now)) return approvalRequired(await this.#rows.joined(there, facts.run))
    if (there && (await this.#isGood(there, now))) return undefined
    const fresh = this.#made(call, binding, facts, now)
    if (await (there ? this.#renew(there, fresh, now) : this.#add(fresh, now))) {
      if (this.#askedHere.size >= grantBounds.openInAll) this.#askedHere.clear()
      this.#askedHere.set(binding, fresh.id)
      this.#tell('asked', fresh)
      this.#sweepAt(call.terms.withinMs)
      return approvalRequired(fresh)
    }
    this.#arguments.forget(fresh.id)
    return full(await this.#rows.all(), fresh, now)
  }

  #made({ args, ...bound }: BoundCall, binding: string, facts: AskingFacts, now: number): CallGrant {
    const loose = looseBindingOf({ args, ...bound })
    const id = randomBytes(8).toString('hex')
    const times = { askedAt: now, expiresAt: now + bound.terms.withinMs }
    return this.#arguments.noted({ ...bound, ...facts, id, binding, loose, state: 'asked', uses: 0, ...times }, args)
  }

  /** Open, and whoever is asked can be shown what it is. */
  #isShared(grant: CallGrant, now: number): boolean {
    return stateAt(grant, now) === 'asked' && this.#arguments.has(grant)
  }

  #add(fresh: CallGrant, now: number): Promise<boolean> {
    return this.#rows.add(fresh, (there) => full(there, fresh, now) !== undefined)
  }

  /** In the place of one that is over, which is kept beside. */
  async #renew(there: CallGrant, fresh: CallGrant, now: number): Promise<boolean> {
    if (full(await this.#rows.all(), fresh, now)) return false
    const made = await this.#rows.change(fresh.binding, ({ id, state, uses }) =>
      id === there.id && state === there.state && uses === there.uses ? fresh : undefined,
    )
    if (!made) return false
    const isOver = there.state !== 'asked' && there.state !== 'granted'
    const over = withoutArguments(isOver ? there : { ...there, state: 'expired' })
    await this.#rows.keepPast(over)
    if (!isOver) this.#tell('expired', over)
    return true
  }

  #sweepAt(delayMs: number): void {
    if (this.#news.isClosed) return
    this.#cancelSweep ??= this.#clock.after(delayMs + 1, () => {
      this.#cancelSweep = undefined
      this.#sweep()
    })
  }

  #sweep(): void {
    this.#rows.sweep(this.#clock.wall()).then(
      ({ ended, nextMs }) => {
        for (const grant of ended) {
          this.#arguments.forget(grant.id)
          this.#tell('expired', grant)
        }
        if (nextMs !== undefined) this.#sweepAt(nextMs)
      },
      (error) => this.#tellFailure(error),
    )
  }

  #tell(type: GrantEvent['type'], grant: CallGrant): void {
    for (const listener of this.#listeners)
      try {
        listener({ type, grant: { ...grant, args: type === 'asked' ? this.#arguments.of(grant) : undefined } })
      } catch (error) {
        this.#tellFailure(error)
      }
    if (type !== 'asked') this.#news.tell()
  }

  #tellFailure(error: unknown): void {
    if (!this.#news.isClosed) this.#logger.log('warn', `Approvals of calls: ${messageOf(error)}`)
  }
}

const mostTurns = 3

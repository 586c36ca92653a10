import type { GatewayError } from '../errors.js'
import { type Clock, systemClock } from '../model/clock.js'

/** What is smaller takes no turn: reading it holds nobody up. */
export const largeRequestBytes = 64 * 1024

/** A large request whose body is not read before its turn, so that it waits in the client's memory and not in ours. */
export interface LargeRequest {
  readonly caller: string
  /** Undefined where nobody has said how large it will be. */
  readonly length: number | undefined
  begin(): void
  refuse(error: GatewayError): void
}

// From its last byte to the source, during which nobody else is served: that of a megabyte takes about so long.
const usualMs = 10
const usualBytes = 1_000_000
// A caller may use what it did not in so many seconds before, and owe as much.
const kept = 2
const mostWaiting = 64
// What is read becomes ten times as large in memory: so much of one caller's waits for its answers at once, while others call.
const mostUnanswered = 4 * 1024 * 1024
// Less than the time for a whole request.
const longestWaitMs = 5000
const lookMs = 100

/** What is known of a caller. */
interface Around {
  /** Whether others have asked for something of late. */
  othersThan(caller: string): boolean
  /** How many bytes of its requests are not answered yet. */
  held(caller: string): number
  /** Why one more of its requests is not read; counted. */
  refusal(caller: string): GatewayError
}

interface Account {
  /** In requests of a megabyte; below zero it owes. */
  left: number
  at: number
  /** With the time at which each gives up. */
  readonly waiting: Map<LargeRequest, number>
}

/**
 * Whose large requests are read when, while several callers are about (S6). Parsing is done in one go, so what others feel of a
 * request grows with the square of the time that it takes: a whole lot of small ones is nothing to them, few that take a tenth
 * of a second are much. Each caller has so many requests of a megabyte a second, counted by that square; alone it has all of
 * the time.
 */
export class LargeRequests {
  perSecond: number
  readonly #clock: Clock
  readonly #around: Around
  readonly #accounts = new Map<string, Account>()
  #isWatching = false

  constructor(around: Around, clock: Clock = systemClock, perSecond = 10) {
    this.#around = around
    this.#clock = clock
    this.perSecond = perSecond
  }

  /** Begins it now or when it is its turn, or refuses it. */
  take(request: LargeRequest): void {
    const account = this.#accountOf(request.caller)
    if (account.waiting.size === 0 && this.#mayBegin(request, account)) return this.#begin(request, account)
    if (account.waiting.size >= mostWaiting) return request.refuse(this.#around.refusal(request.caller))
    account.waiting.set(request, this.#clock.now() + longestWaitMs)
    this.#watch()
  }

  /** It is not wanted any more. */
  leave(request: LargeRequest): void {
    this.#accounts.get(request.caller)?.waiting.delete(request)
  }

  /** What it took in truth; before it, what its length lets one expect was counted. */
  took(request: LargeRequest, milliseconds: number): void {
    this.#charge(request.caller, (milliseconds / usualMs) ** 2 - expected(request))
  }

  #begin(request: LargeRequest, account: Account): void {
    account.waiting.delete(request)
    this.#charge(request.caller, expected(request))
    request.begin()
  }

  #charge(caller: string, cost: number): void {
    if (!this.#around.othersThan(caller)) return
    const account = this.#accountOf(caller)
    const most = kept * this.perSecond
    account.left = Math.max(-most, Math.min(most, account.left - cost))
  }

  #mayBegin({ caller, length = 0 }: LargeRequest, account: Account): boolean {
    if (this.perSecond === 0 || !this.#around.othersThan(caller)) return true
    const held = this.#around.held(caller)
    return account.left > 0 && (held === 0 || held + length <= mostUnanswered)
  }

  #accountOf(caller: string): Account {
    const now = this.#clock.now()
    const account = this.#accounts.get(caller)
    const most = kept * this.perSecond
    if (account) {
      account.left = Math.min(most, account.left + ((now - account.at) / 1000) * this.perSecond)
      account.at = now
      return account
    }
    this.#forgetIdle()
    const made: Account = { left: most, at: now, waiting: new Map() }
    this.#accounts.set(caller, made)
    return made
  }

  #forgetIdle(): void {
    if (this.#accounts.size < 256) return
    const since = this.#clock.now() - 2 * kept * 1000
    for (const [caller, { at, waiting }] of this.#accounts)
      if (waiting.size === 0 && at < since) this.#accounts.delete(caller)
  }

  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#clock.after(lookMs, () => {
      this.#isWatching = false
      for (const caller of [...this.#accounts.keys()]) this.#letIn(caller)
      if ([...this.#accounts.values()].some(({ waiting }) => waiting.size > 0)) this.#watch()
    })
  }

  #letIn(caller: string): void {
    const account = this.#accounts.get(caller)
    if (!account || account.waiting.size === 0) return
    this.#accountOf(caller)
    const now = this.#clock.now()
    // One at a look beyond what the account has: those who waited must not come all at once when the others have gone.
    let left = Math.max(account.left, Number.MIN_VALUE)
    for (const [request, until] of [...account.waiting]) {
      if (left > 0 && this.#mayBegin(request, account)) {
        left -= expected(request)
        this.#begin(request, account)
      } else if (until <= now) {
        account.waiting.delete(request)
        request.refuse(this.#around.refusal(caller))
      }
    }
  }
}

const expected = ({ length = 0 }: LargeRequest): number => (length / usualBytes) ** 2

import { GatewayError } from '../../errors.js'
import { type Caller, localCaller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import { Gate, type GateOptions, type Share } from '../../model/shares.js'
import { createRateLimiter, type RateLimit, type SharedLimiter } from '../limits/rate.js'
import type { CallSettings } from '../order.js'
import type { Passage, Step } from '../passage.js'
import type { AdmissionLimits } from './admit.js'

/** What each caller of a profile may use up. */
export interface Quota {
  readonly callsPerMinute?: number | undefined
  readonly concurrency?: number | undefined
}

/** Asked at every call, so that a changed configuration counts at once. Undefined: no limit. */
export type QuotaOf = (caller: Caller) => Quota | undefined

/** Whose calls run, and in which line more of them wait. */
export interface CallerLine {
  readonly gate: Gate
  usedAt: number
}

/** Who uses something up: a person over all their clients and keys, else whoever shows a credential. */
const whoOf = ({ id, identity }: Caller): string => identity?.id ?? id

const mostIdle = 64
// Who called so long ago is not about any more, and the others need not leave room.
const aboutMs = 60_000

/** The callers who have calls running, each with a line of its own for more: one who waits for oneself keeps nobody else waiting. */
export class Callers {
  readonly #lines = new Map<string, CallerLine>()
  readonly #options: GateOptions
  readonly #clock: Clock
  /** Where refusals are counted and put into words. */
  readonly #share: Share

  constructor(clock: Clock, share: Share) {
    this.#clock = clock
    this.#share = share
    this.#options = { places: 0, queue: 0, waitMs: 0, perCaller: 0, clock }
  }

  /** From now on these bounds. Calls that are inside stay. */
  limit({
    concurrencyPerCaller = 128,
    queuePerCaller: queue = 512,
    queueWaitMs: waitMs = 30_000,
  }: AdmissionLimits): void {
    Object.assign(this.#options, { places: concurrencyPerCaller, queue, waitMs })
    this.#share.limit({ perCaller: concurrencyPerCaller })
    for (const { gate } of this.#lines.values()) gate.admit()
  }

  /** Whether somebody else has called of late. */
  readonly othersThan = (caller: string): boolean => {
    const since = this.#clock.now() - aboutMs
    for (const [id, { gate, usedAt }] of this.#lines) if (id !== caller && (!gate.idle || usedAt > since)) return true
    return false
  }

  /** A promise where the call has to wait for one of its caller's own to end. */
  enter(passage: Passage): Promise<void> | undefined {
    const id = whoOf(passage.call.caller)
    const line = this.#lineOf(id)
    line.usedAt = passage.startedAt
    passage.line = line
    if (line.gate.tryEnter(id)) return undefined
    // A synchronous caller holds the thread: nobody could leave while it waited.
    if (passage.sync) throw this.#refused(passage)
    return this.#wait(line, passage)
  }

  leave({ line, call }: Passage): void {
    if (!line) return
    const id = whoOf(call.caller)
    line.gate.leave(id)
    if (line.gate.idle && this.#lines.size > mostIdle) this.#lines.delete(id)
  }

  async #wait({ gate }: CallerLine, passage: Passage): Promise<void> {
    const refusal = await gate.enter(whoOf(passage.call.caller), passage.call.signal)
    if (refusal === 'left') throw leftWaiting(passage.target.id)
    if (refusal) throw this.#refused(passage)
  }

  #refused(passage: Passage): GatewayError {
    passage.line = undefined
    return this.#share.refuse(passage.call.caller.id, 'caller')
  }

  #lineOf(caller: string): CallerLine {
    const known = this.#lines.get(caller)
    if (known) return known
    const made = { gate: new Gate(this.#options), usedAt: 0 }
    this.#lines.set(caller, made)
    return made
  }
}

/** A call whose caller went away before it had its place. */
export const leftWaiting = (tool: string): GatewayError =>
  new GatewayError('CALL_CANCELLED', `The call of '${tool}' was cancelled while it waited.`, { notSent: true })

/**
 * Holds callers to their share: those of a profile to what it says, refused at once, since waiting would only move the burst;
 * and every caller to so many calls at once, more of which wait in its own line (S21). A tool that calls a tool was counted
 * when it was called, and code of our own process is the machine itself. A script's calls count one by one, or two hundred
 * would cost what one does; the script itself takes no place, or whoever may have one call running could run none with it.
 */
export const quota = (settings: () => CallSettings, clock: Clock, callers: Callers): Step => {
  // One per figure that the configuration names; callers of two profiles have a bucket in each.
  const limiters = new Map<number, SharedLimiter>()
  const running = new Map<string, number>()
  const ownLimiter = (limit: RateLimit): SharedLimiter => createRateLimiter(limit, clock)

  const limiterFor = (calls: number, make = ownLimiter): SharedLimiter => {
    const known = limiters.get(calls) ?? make({ calls, perMs: 60_000 })
    limiters.set(calls, known)
    return known
  }
  const leave = (passage: Passage): void => {
    callers.leave(passage)
    giveBack(passage)
  }
  const giveBack = ({ quotaKey: key }: Passage): void => {
    if (key === undefined) return
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }

  const enter = (passage: Passage): Promise<void> | undefined => {
    const { caller, parent, run } = passage.call
    if (parent !== undefined && run === undefined) return undefined
    const asked = holdToProfile(passage)
    if (caller === localCaller || passage.callsOthers) return asked
    return asked ? asked.then(() => enterLine(passage)) : enterLine(passage)
  }
  /** One that does not get its place has not entered this step: what its profile counted is given back here. */
  const enterLine = (passage: Passage): Promise<void> | undefined => {
    const giveUp = (error: unknown): never => {
      giveBack(passage)
      throw error
    }
    try {
      return callers.enter(passage)?.catch(giveUp)
    } catch (error) {
      return giveUp(error)
    }
  }
  /** A promise where others are asked how much is left. */
  const holdToProfile = (passage: Passage): Promise<void> | undefined => {
    const { caller } = passage.call
    const { quotaOf, limiterOf } = settings().limits ?? {}
    const allowed = quotaOf?.(caller)
    if (allowed === undefined) return undefined
    // What a grant says counts over all that somebody does here, what a profile says within it.
    const key = `${caller.limits ? '' : (caller.profile ?? '')}\0${whoOf(caller)}`
    const { callsPerMinute: calls } = allowed
    const concurrency = passage.callsOthers ? undefined : allowed.concurrency
    const active = running.get(key) ?? 0
    if (concurrency !== undefined && active >= concurrency) throw tooMany(passage, concurrency)
    const waitMs = calls === undefined ? 0 : limiterFor(calls, limiterOf).take(key, !passage.sync)
    if (typeof waitMs === 'number' && waitMs > 0) throw tooFast(passage, calls!, waitMs)
    // While others are asked its place is taken, as it will be.
    if (concurrency !== undefined) {
      running.set(key, active + 1)
      passage.quotaKey = key
    }
    return typeof waitMs === 'number' ? undefined : waitMs.then((ms) => passOrGiveBack(passage, calls!, ms))
  }
  const passOrGiveBack = (passage: Passage, calls: number, waitMs: number): void => {
    if (waitMs === 0) return
    giveBack(passage)
    throw tooFast(passage, calls, waitMs)
  }

  return {
    enter,
    leave: (passage, answer) => {
      leave(passage)
      return answer
    },
    fail: leave,
  }
}

const tooFast = ({ target, call }: Passage, calls: number, waitMs: number): GatewayError =>
  new GatewayError(
    'RATE_LIMITED',
    `'${call.caller.id}' may make ${calls} calls a minute here; try again in ${waitMs} ms.`,
    { details: { tool: target.id, retryAfterMs: waitMs }, retryAfterMs: waitMs, notSent: true },
  )

const tooMany = ({ target, call }: Passage, concurrency: number): GatewayError =>
  new GatewayError(
    'QUOTA_EXCEEDED',
    `'${call.caller.id}' may have ${concurrency} calls running here, and has; wait for one to end.`,
    {
      details: { tool: target.id, bound: 'calls', most: concurrency, setting: 'limits.concurrency' },
      retryAfterMs: 1000,
      notSent: true,
    },
  )

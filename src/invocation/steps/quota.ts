import { GatewayError } from '../../errors.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import { createRateLimiter, type RateLimiter } from '../limits/rate.js'
import type { CallSettings } from '../order.js'
import type { Passage, Step } from '../passage.js'

/** What each caller of a profile may use up. */
export interface Quota {
  readonly callsPerMinute?: number | undefined
  readonly concurrency?: number | undefined
}

/** Asked at every call, so that a changed configuration counts at once. Undefined: no limit. */
export type QuotaOf = (caller: Caller) => Quota | undefined

/**
 * Holds callers to their profile. Refused at once instead of queued: this is somebody's share, not the machine's, and
 * waiting would only move the burst. A tool that calls a tool was counted when it was called.
 */
export const quota = (settings: () => CallSettings, clock: Clock): Step => {
  // One per figure that the configuration names; callers of two profiles have a bucket in each.
  const limiters = new Map<number, RateLimiter>()
  const running = new Map<string, number>()

  const limiterOf = (calls: number): RateLimiter => {
    const known = limiters.get(calls) ?? createRateLimiter({ calls, perMs: 60_000 }, clock)
    limiters.set(calls, known)
    return known
  }
  const giveBack = ({ quotaKey: key }: Passage): void => {
    if (key === undefined) return
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }

  const enter = (passage: Passage): void => {
    const { caller, parent } = passage.call
    const allowed = parent === undefined ? settings().limits?.quotaOf?.(caller) : undefined
    if (allowed === undefined) return
    const key = `${caller.profile ?? ''}\0${caller.id}`
    const { callsPerMinute, concurrency } = allowed
    const active = running.get(key) ?? 0
    if (concurrency !== undefined && active >= concurrency) throw tooMany(passage, concurrency)
    const waitMs = callsPerMinute === undefined ? 0 : limiterOf(callsPerMinute).take(key)
    if (waitMs > 0) throw tooFast(passage, callsPerMinute!, waitMs)
    if (concurrency === undefined) return
    running.set(key, active + 1)
    passage.quotaKey = key
  }

  return {
    enter,
    leave: (passage, answer) => {
      giveBack(passage)
      return answer
    },
    fail: giveBack,
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
    'OVERLOADED',
    `'${call.caller.id}' may have ${concurrency} calls running here, and has; wait for one to end.`,
    { details: { tool: target.id }, retryAfterMs: 1000, notSent: true },
  )

import { GatewayError } from '../../errors.js'
import { once } from '../../model/cancel.js'
import { type Clock, wheelOf } from '../../model/clock.js'
import type { CallSettings } from '../order.js'
import type { Passage, PassageGuard, Step } from '../passage.js'

/** Of a call whose tool names no time, where nobody set another. */
const defaultTimeoutMs = 30_000

/** One AbortSignal from here inward: time is up, or the caller left. What answers later is dropped. */
export const deadline = (settings: () => CallSettings, clock: Clock): Step => {
  const wheel = wheelOf(clock)

  const watch = (passage: Passage): void => {
    const { signal } = passage.call
    if (signal?.aborted) {
      const error = cancelled(passage)
      passage.abort(error)
      throw error
    }
    passage.guard = guard
    signal?.addEventListener('abort', passage, once)
    wheel.arm(passage, Math.max(0, passage.timeoutMs - (clock.now() - passage.askedAt)), true)
  }
  const unwatch = (passage: Passage): void => {
    if (!passage.guard) return
    passage.guard = undefined
    wheel.cancel(passage)
    passage.call.signal?.removeEventListener('abort', passage)
  }
  const giveUp = (passage: Passage, error: GatewayError): void => {
    unwatch(passage)
    passage.giveUp(error)
  }
  const guard: PassageGuard = {
    callerLeft: (passage) => giveUp(passage, cancelled(passage)),
    // While the caller is asked, the call's time stands still; what that took is given back when the time is up.
    timeIsUp: (passage) => {
      const owedMs = passage.pausedMs - passage.givenMs
      if (owedMs <= 0) return giveUp(passage, expired(passage))
      passage.givenMs += owedMs
      wheel.arm(passage, owedMs, true)
    },
  }

  return {
    enter: (passage) => {
      if (passage.call.signal?.aborted) throw cancelled(passage)
      passage.ownMs = passage.target.timeoutMs ?? settings().timeoutMs ?? defaultTimeoutMs
      passage.timeoutMs = passage.call.timeoutMs ?? passage.ownMs
      passage.askedAt = clock.now()
    },
    wait: watch,
    leave: (passage, answer) => {
      if (passage.guard) unwatch(passage)
      // Nothing can interrupt a synchronous function, but its late answer is as late as any other.
      else if (clock.now() - passage.askedAt > passage.timeoutMs) throw expired(passage)
      return answer
    },
    fail: unwatch,
  }
}

/** Whose time it was decides whose failure it is: a caller in a hurry says nothing about the tool. */
const expired = ({ target, timeoutMs, ownMs }: Passage): GatewayError =>
  new GatewayError(
    'DEADLINE_EXCEEDED',
    `'${target.id}' did not answer within ${timeoutMs} ms. It may still have run; raise timeoutMs if it needs longer.`,
    { details: { tool: target.id, timeoutMs, givenBy: timeoutMs < ownMs ? 'caller' : 'tool' } },
  )

const cancelled = ({ target }: Passage): GatewayError =>
  new GatewayError('CALL_CANCELLED', `The call of '${target.id}' was cancelled by its caller.`, {
    details: { tool: target.id },
  })

import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Answer } from '../../model/result.js'
import { isPromise, type Step } from '../compose.js'
import type { Passage } from '../passage.js'

/** One AbortSignal from here inward: time is up, or the caller left. What answers later is dropped. */
export const deadline =
  (clock: Clock, defaultTimeoutMs: number): Step =>
  (next) =>
  (passage) => {
    const { signal } = passage.call
    if (signal?.aborted) throw cancelled(passage)
    const timeoutMs = passage.call.timeoutMs ?? passage.tool.timeoutMs ?? defaultTimeoutMs
    const startedAt = clock.now()
    const answer = next(passage)
    if (isPromise(answer)) return raced(answer, passage, clock, timeoutMs - (clock.now() - startedAt), timeoutMs)
    // Nothing can interrupt a synchronous function, but its late answer is as late as any other.
    if (clock.now() - startedAt > timeoutMs) throw expired(passage, timeoutMs)
    return answer
  }

const raced = (answer: Promise<Answer>, passage: Passage, clock: Clock, leftMs: number, timeoutMs: number) =>
  new Promise<Answer>((resolve, reject) => {
    const { signal } = passage.call
    const give = (up: GatewayError) => {
      settle()
      passage.abort(up)
      reject(up)
    }
    const onAbort = () => give(cancelled(passage))
    let givenMs = 0
    // While the caller is asked, the call's time stands still; what that took is given back when the time is up.
    const arm = (ms: number): (() => void) =>
      clock.after(ms, () => {
        const owedMs = passage.pausedMs - givenMs
        if (owedMs <= 0) return give(expired(passage, timeoutMs))
        givenMs += owedMs
        cancelTimer = arm(owedMs)
      })
    let cancelTimer = arm(Math.max(0, leftMs))
    signal?.addEventListener('abort', onAbort, { once: true })
    const settle = () => {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    }
    answer.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error) => {
        settle()
        reject(error)
      },
    )
  })

const expired = ({ tool }: Passage, timeoutMs: number): GatewayError =>
  new GatewayError(
    'DEADLINE_EXCEEDED',
    `'${tool.id}' did not answer within ${timeoutMs} ms. It may still have run; raise timeoutMs if it needs longer.`,
    { details: { tool: tool.id, timeoutMs } },
  )

const cancelled = ({ tool }: Passage): GatewayError =>
  new GatewayError('CALL_CANCELLED', `The call of '${tool.id}' was cancelled by its caller.`, {
    details: { tool: tool.id },
  })

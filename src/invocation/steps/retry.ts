import { type GatewayError, isGatewayError } from '../../errors.js'
import type { RequestKind } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import type { Answer } from '../../model/result.js'
import type { Tool } from '../../model/tool.js'
import type { CallSettings } from '../order.js'
import { type Eventually, isPromise, type Passage, type Run, type Step } from '../passage.js'

export interface RetryOptions {
  /** How often a call is tried in all. Default 1: tools act, and acting twice is worse than failing once. */
  readonly attempts?: number | undefined
  /** Before the second try; doubled before each further one. Default 100. */
  readonly backoffMs?: number | undefined
  /** Default 5,000. */
  readonly maxBackoffMs?: number | undefined
}

const none: RetryOptions = {}

/** Tries again what surely never ran, or what its owner says may run twice. */
export const retry =
  (settings: () => CallSettings, clock: Clock): Step =>
  (next) =>
  (passage) => {
    const { attempts = 1, backoffMs = 100, maxBackoffMs = 5000 } = settings().retry ?? none
    // A synchronous caller cannot wait, so it gets its one try.
    if (attempts <= 1 || passage.sync) return next(passage)
    const again = (tries: number, error: unknown): Promise<Answer> => {
      if (tries >= attempts || passage.abortReason || !mayRepeat(passage, error)) throw error
      return pause(Math.min(backoffMs * 2 ** (tries - 1), maxBackoffMs), passage, clock).then(() => attempt(tries + 1))
    }
    const attempt = (tries: number): Eventually<Answer> => tryOnce(next, passage, (error) => again(tries, error))
    return attempt(1)
  }

const tryOnce = (next: Run, passage: Passage, onError: (error: unknown) => Promise<Answer>): Eventually<Answer> => {
  try {
    const answer = next(passage)
    return isPromise(answer) ? answer.catch(onError) : answer
  } catch (error) {
    return onError(error)
  }
}

const mayRepeat = (passage: Passage, error: unknown): boolean => {
  if (!isGatewayError(error)) return false
  if (error.code === 'SOURCE_UNAVAILABLE' || error.code === 'SOURCE_START_FAILED')
    return error.notSent || (passage.kind === 'tool' ? repeatable(passage.tool) : reads.has(passage.kind))
  // What else than a tool refuses has been asked and has answered.
  return error.code === 'TOOL_FAILED' && passage.kind === 'tool' && repeatable(passage.tool)
}

/** Reading twice is reading once; what an unknown method does, nobody knows. */
const reads: ReadonlySet<RequestKind> = new Set(['prompt', 'resource', 'completion'])

const repeatable = (tool: Tool): boolean => tool.idempotent ?? tool.definition.annotations?.idempotentHint === true

const pause = (ms: number, passage: Passage, clock: Clock): Promise<void> =>
  new Promise((resolve, reject) => {
    const { cancel: signal } = passage
    const onAbort = () => {
      cancel()
      reject(signal.reason as GatewayError)
    }
    const resume = (): void => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    const cancel = clock.after(ms, resume, true)
    signal.addEventListener('abort', onAbort, { once: true })
  })

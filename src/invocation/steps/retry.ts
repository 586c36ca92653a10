import { isGatewayError } from '../../errors.js'
import type { RequestKind } from '../../model/call.js'
import { once } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import type { CallSettings } from '../order.js'
import type { Passage, Step } from '../passage.js'

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
export const retry = (settings: () => CallSettings, clock: Clock): Step => ({
  again: (passage, error) => {
    const { attempts = 1, backoffMs = 100, maxBackoffMs = 5000 } = settings().retry ?? none
    // A synchronous caller cannot wait, so it gets its one try.
    if (passage.attempts >= attempts || passage.sync || passage.abortReason || !mayRepeat(passage, error)) return
    return pause(Math.min(backoffMs * 2 ** (passage.attempts - 1), maxBackoffMs), passage, clock)
  },
})

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

/** Never resolves where the call ends meanwhile: nobody waits for it then. */
const pause = (ms: number, { cancel }: Passage, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => cancelTimer()
    const cancelTimer = clock.after(
      ms,
      () => {
        cancel.removeEventListener('abort', stop)
        resolve()
      },
      true,
    )
    cancel.addEventListener('abort', stop, once)
  })

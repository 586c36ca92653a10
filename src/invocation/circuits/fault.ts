import { type ErrorCode, type GatewayError, isGatewayError } from '../../errors.js'
import type { Answer } from '../../model/result.js'

/**
 * What the end of a call says about the health of what was asked.
 *
 *   well         it answered, be it with "no"
 *   unreachable  nobody could be asked: the source's own fault, whichever tool was meant
 *   broken       asked, and the way broke or the far side failed: the tool's, until several tools say so
 *   silent       no answer in the tool's own time: likewise
 *   nothing      the caller left or had less time than the tool, we refused it, or the source guards itself
 */
export type Fault = 'well' | 'unreachable' | 'broken' | 'silent' | 'nothing'

/** A tool that throws is a tool that answers. */
const answers: ReadonlySet<ErrorCode> = new Set(['TOOL_FAILED', 'RESULT_INVALID', 'RESULT_TOO_LARGE'])

export const faultOfAnswer = ({ failed }: Answer): Fault => (failed === undefined ? 'well' : 'broken')

export const faultOfError = (error: unknown): Fault => {
  if (!isGatewayError(error)) return 'nothing'
  if (answers.has(error.code)) return 'well'
  if (error.code === 'DEADLINE_EXCEEDED') return lateFault(error)
  if (error.code === 'SOURCE_START_FAILED') return 'unreachable'
  return error.code === 'SOURCE_UNAVAILABLE' ? lossFault(error) : 'nothing'
}

// The call's own time is given by its caller or by the tool; any other is a handshake that took too long.
const lateFault = ({ details }: GatewayError): Fault => {
  if (details?.givenBy === undefined) return 'unreachable'
  return details.givenBy === 'caller' ? 'nothing' : 'silent'
}

const lossFault = ({ notSent, retryAfterMs, details }: GatewayError): Fault => {
  // A source that refuses unasked and says when to try again, or that waits for a person, is down and knows it. Counting
  // that would keep callers away from a process that is back after a second, and hide what the person has to do.
  if (details?.down === true || (notSent && retryAfterMs !== undefined)) return 'nothing'
  if (typeof details?.status === 'number') return details.status >= 500 ? 'broken' : 'nothing'
  return notSent ? 'unreachable' : 'broken'
}

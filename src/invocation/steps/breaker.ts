import { type ErrorCode, GatewayError, isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Answer } from '../../model/result.js'
import type { Tool } from '../../model/tool.js'
import { isPromise, type Step } from '../compose.js'
import type { Passage } from '../passage.js'

export interface BreakerOptions {
  /** Failures in a row that open the circuit. Default 5; 0 switches it off. */
  readonly failures?: number
  /** How long it stays open before one call may try. Default 30,000. */
  readonly openMs?: number
}

// What says that the far side is not well. A tool that throws is a tool that answers.
const failureCodes: ReadonlySet<ErrorCode> = new Set(['SOURCE_UNAVAILABLE', 'SOURCE_START_FAILED', 'DEADLINE_EXCEEDED'])

interface Circuit {
  failures: number
  openUntil: number
  probing: boolean
}

/** Stops asking what does not answer. Outside `deadline`, since most broken things fail by silence. */
export const breaker = (
  { failures = 5, openMs = 30_000 }: BreakerOptions,
  clock: Clock,
  keyOf: (tool: Tool) => string,
): Step => {
  // Only circuits with failures have an entry.
  const circuits = new Map<string, Circuit>()

  const enter = (circuit: Circuit, { tool }: Passage): void => {
    if (circuit.failures < failures) return
    const waitMs = circuit.openUntil - clock.now()
    if (waitMs > 0 || circuit.probing) throw open(tool, Math.max(waitMs, 1000))
    circuit.probing = true
  }
  const failed = (key: string, error: unknown): void => {
    const known = circuits.get(key)
    if (known) known.probing = false
    if (!isGatewayError(error) || !failureCodes.has(error.code) || guardsItself(error)) return
    const circuit = known ?? { failures: 0, openUntil: 0, probing: false }
    circuits.set(key, circuit)
    circuit.failures += 1
    if (circuit.failures >= failures) circuit.openUntil = clock.now() + openMs
  }

  if (failures <= 0) return (next) => next
  return (next) => (passage) => {
    const key = keyOf(passage.tool)
    const circuit = circuits.get(key)
    if (circuit) enter(circuit, passage)
    const succeed = (answer: Answer): Answer => {
      circuits.delete(key)
      return answer
    }
    const fail = (error: unknown): never => {
      failed(key, error)
      throw error
    }
    try {
      const answer = next(passage)
      if (isPromise(answer)) return answer.then(succeed, fail)
      return circuit ? succeed(answer) : answer
    } catch (error) {
      return fail(error)
    }
  }
}

/**
 * A source that refuses unasked and says when to try again is down and knows it. Counting that would keep callers away
 * for half a minute from a process that is back after a second.
 */
const guardsItself = ({ notSent, retryAfterMs }: GatewayError): boolean => notSent && retryAfterMs !== undefined

const open = (tool: Tool, waitMs: number): GatewayError =>
  new GatewayError(
    'CIRCUIT_OPEN',
    `The source '${tool.source}' of '${tool.id}' failed repeatedly and is left alone for ${Math.ceil(waitMs / 1000)} s.`,
    { details: { tool: tool.id, source: tool.source }, retryAfterMs: waitMs, notSent: true },
  )

/** An open circuit (of a circuit breaker): a tool or source that failed repeatedly and is not called for a while. */
export interface OpenCircuit {
  readonly source: string
  /** The id of the tool; undefined where the circuit is that of the whole source. */
  readonly tool: string | undefined
  /** The words of the last failure. */
  readonly reason: string
  /** Both in milliseconds since the epoch. */
  readonly since: number
  readonly retryAt: number
}

/**
 * Milliseconds until something that does not answer is looked at again: a thirtieth of the time it has been gone, so that what is
 * back after half a minute is found within a second, and what is gone for good costs a question every five.
 */
export const lookAgainMs = (goneMs: number): number => Math.ceil(Math.min(Math.max(goneMs / 30, 250), 5000))

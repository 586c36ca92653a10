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

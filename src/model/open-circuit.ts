/** Something that failed repeatedly and is left alone for a while. */
export interface OpenCircuit {
  readonly source: string
  /** The id of the tool that is left alone; undefined where it is the whole source. */
  readonly tool: string | undefined
  /** The words of the last failure. */
  readonly reason: string
  /** Both in milliseconds since the epoch. */
  readonly since: number
  readonly retryAt: number
}

/** Bounds around everything a child can make us hold. */
export interface ChildLimits {
  /** Longest line of stdout; a longer one ends the child. Default: 16 MiB. */
  readonly lineBytes: number
  /** Bytes waiting for a child that does not read. Default: 8 MiB. */
  readonly queueBytes: number
  /** The newest stderr kept for errors. Default: 256 KiB. */
  readonly stderrBytes: number
  /** Of those, how many an error shows. Default: 2 KiB. */
  readonly stderrTailBytes: number
  /** Stderr lines that reach the log in a second; the rest is counted. Default: 200. */
  readonly stderrLinesPerSecond: number
}

export const childLimits: ChildLimits = {
  lineBytes: 16 * 1024 * 1024,
  queueBytes: 8 * 1024 * 1024,
  stderrBytes: 256 * 1024,
  stderrTailBytes: 2048,
  stderrLinesPerSecond: 200,
}

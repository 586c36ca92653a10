export interface CrashSummary {
  readonly backend: string
  readonly cycles: number
  readonly acknowledged: number
  readonly killedBeforeReady: number
  readonly problems: readonly string[]
  /** Temporary files and locks in the folder after the last clean close. */
  readonly leftBehind: number
}
export const crashCycles: (options: {
  readonly entry: string
  readonly backend: 'json' | 'sqlite'
  readonly cycles: number
  readonly maxSaves?: number
}) => Promise<CrashSummary>

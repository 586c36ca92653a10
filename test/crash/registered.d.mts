export interface RegisterSummary {
  readonly backend: string
  readonly cycles: number
  readonly acknowledged: number
  readonly problems: readonly string[]
}
export const registerCycles: (options: {
  readonly cli: string
  readonly backend: 'json' | 'sqlite'
  readonly cycles: number
}) => Promise<RegisterSummary>

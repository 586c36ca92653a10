export interface BlackHole {
  readonly host: string
  readonly port: number
  swallow(): void
  open(): void
  close(): Promise<void>
}
export const startBlackHole: (target: {
  readonly host?: string | undefined
  readonly port: number
  readonly isMute?: boolean | undefined
}) => Promise<BlackHole>

export interface Balancer {
  readonly url: string
  use(next: readonly string[]): void
  close(): Promise<void>
}
export const startBalancer: (
  urls: readonly string[],
  options?: { readonly isBlind?: boolean | undefined },
) => Promise<Balancer>

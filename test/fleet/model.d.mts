export interface ModelSummary {
  readonly rounds: number
  readonly seed: number
  readonly acknowledged: number
  readonly unsure: number
  /** Why, by code. */
  readonly why: Readonly<Record<string, number>>
  readonly kills: number
  readonly slowest: number
  readonly problems: readonly string[]
}
export const checkModel: (options: {
  readonly url: string
  readonly rounds: number
  readonly writes?: number | undefined
  readonly seed?: number | undefined
  readonly say?: ((text: string) => void) | undefined
}) => Promise<ModelSummary>
export const adminKeyOf: (replicas: readonly { readonly folder: string }[]) => string
export const administer: (
  client: import('./load.mjs').LoadClient,
  method: string,
  path: string,
  value?: unknown,
) => Promise<any>

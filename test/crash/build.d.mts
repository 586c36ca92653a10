export interface StorageBuild {
  /** URL of the compiled open.js. */
  readonly entry: string
  readonly log: string
  remove(): void
}
export const buildStorage: () => StorageBuild

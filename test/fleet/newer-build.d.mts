export const newerBuild: (options?: { readonly minReader?: number | undefined }) => {
  readonly dist: string
  dispose(): void
}

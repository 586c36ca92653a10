export const newerBuild: (options?: { readonly canBeRead?: boolean | undefined }) => {
  readonly dist: string
  dispose(): void
}

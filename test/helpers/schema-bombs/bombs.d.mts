/** A tool that a hostile server could list, with what a hostile caller could send to it. */
export interface SchemaBomb {
  readonly name: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly arguments: Readonly<Record<string, unknown>>
}

export const bombs: readonly SchemaBomb[]

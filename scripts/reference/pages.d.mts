import type { Command } from 'commander'

interface Code {
  readonly program: Command
  readonly examples: Readonly<Record<string, readonly string[]>>
  readonly exitMeanings: Readonly<Record<number, string>>
  readonly schema: Readonly<Record<string, unknown>>
  readonly outsideSettings: readonly {
    readonly path: readonly (string | number)[]
    readonly flag?: string | undefined
    readonly env: readonly string[]
  }[]
  readonly toFlag: (name: string) => string
  /** Whether a change at this place of the file counts at once. */
  readonly isLive: (path: readonly string[]) => boolean | undefined
}

export declare const referencePages: (code: Code) => Readonly<Record<string, (text: string) => string>>

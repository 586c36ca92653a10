/** Where a parse stands. The source has already been accepted by the native engine. */
export interface Cursor {
  readonly points: readonly string[]
  at: number
  depth: number
}

/** Thrown inside the parser for syntax it does not know; callers see undefined. */
export class Unreadable extends Error {}

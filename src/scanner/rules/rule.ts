import type { Severity } from '../finding.js'

/** When signals in one text, close to each other, are worth a person's look. */
export interface Rule {
  readonly id: string
  readonly severity: Severity
  /** All of one of these lists, within the window; `a|b` is either of the two. */
  readonly when: readonly (readonly string[])[]
  /** How far apart, in characters, its signals may stand; `window` where it does not say. */
  readonly within?: number | undefined
  readonly reason: { readonly en: string; readonly zh: string }
  /** Graver rules that say the same: where one of them is told, this one is not. */
  readonly unless?: readonly string[] | undefined
}

/** How far apart, in characters, the signals of one rule may stand. */
export const window = 420

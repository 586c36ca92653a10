/** How one kind of credential is recognised. Data: what is done with it is in `search.ts`. */
export interface SecretRule {
  /** Stable: configurations allow by it, records tell it. */
  readonly id: string
  /** For people, in English and Chinese. */
  readonly name: readonly [en: string, zh: string]
  /**
   * What any such credential has in it, in lower case, three characters or more. Looked for first, in one pass
   * for all rules, whatever the case; only where one is found is the pattern asked.
   */
  readonly anchors: readonly string[]
  /**
   * The source of an expression that begins at the anchor; what must stand before it is looked back at. Every repetition in it
   * is bounded. The group that took part, if there is one, is the secret; else all of it is.
   */
  readonly pattern: string
  /**
   * The secret goes on behind the match, to the end of the line with this mark; at most so far. Without the mark, as far as there
   * are digits of base 64. By an expression it cost a second for each key without an end.
   */
  readonly end?: { readonly mark: string; readonly most: number } | undefined
  /** Default: which case is written counts. */
  readonly ignoreCase?: boolean | undefined
  /** Bits per character that the secret has at least; words and placeholders have less. Default: not asked. */
  readonly entropy?: number | undefined
  /** Asked last: a checksum, or what an expression cannot say. `before` are the forty characters ahead of the match. */
  readonly holds?: ((secret: string, match: string, before: string) => boolean) | undefined
}

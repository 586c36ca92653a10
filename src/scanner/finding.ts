/** How much a finding weighs: `high` holds what it was found in until somebody has looked. */
export type Severity = 'low' | 'medium' | 'high'

/** Something in a stranger's words that a person should look at before a model reads them. */
export interface Finding {
  /** Stable id of the rule, such as `unicode.tags` or `instruction.ignore-previous`. */
  readonly rule: string
  readonly severity: Severity
  /** Where, as a JSON pointer into what was scanned: `/description`, `/inputSchema/properties/path/description`. */
  readonly place: string
  readonly reason: { readonly en: string; readonly zh: string }
  /** What was found, on one line, with everything invisible written as an escape; at most 120 characters. */
  readonly excerpt: string
}

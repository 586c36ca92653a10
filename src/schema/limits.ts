/** Bounds around schemas and checks. Both come from strangers, so everything has an end. */
export interface SchemaOptions {
  /** Size of one schema in UTF-16 units of its canonical JSON. Default 262,144 (256 KB). */
  readonly maxBytes?: number
  /** Nesting of subschemas. Default 64. */
  readonly maxDepth?: number
  /** Subschemas in one schema. Default 2,000. */
  readonly maxSubschemas?: number
  /** Values of one `enum`. Default 10,000: lists of countries and time zones are long, 100,000 is an attack. */
  readonly maxEnum?: number
  /** References (`$ref`, `$dynamicRef`, `$recursiveRef`) that are followed. Default 1,000. */
  readonly maxRefs?: number
  /** Length of one regular expression. Default 4,096. */
  readonly maxPatternLength?: number
  /** Backtracking steps a pattern may need, by static estimate, to run natively. Default 1,000,000 (about 2 ms). */
  readonly maxPatternSteps?: number
  /** Milliseconds for a pattern that only the native engine understands and whose cost is unknown. Default 100. */
  readonly patternTimeoutMs?: number
  /** Nested references while one value is checked; bounds recursion by recursive schemas. Default 256. */
  readonly maxRefDepth?: number
  /** Work for one check, in subschema visits; ends exponential reference fans. Default 10,000,000. */
  readonly maxSteps?: number
  /** Problems reported for one value. Default 20. */
  readonly maxProblems?: number
  /** Compiled schemas kept. Default 2,000, the size of a large catalog. */
  readonly cacheSize?: number
  /** `annotate` ignores `format`, as the specification's default does; `assert` checks the formats we know. */
  readonly formats?: 'annotate' | 'assert'
}

/** The options with their defaults. */
export type Limits = Required<SchemaOptions>

const defaults: Limits = {
  maxBytes: 256 * 1024,
  maxDepth: 64,
  maxSubschemas: 2_000,
  maxEnum: 10_000,
  maxRefs: 1_000,
  maxPatternLength: 4_096,
  maxPatternSteps: 1_000_000,
  patternTimeoutMs: 100,
  maxRefDepth: 256,
  maxSteps: 10_000_000,
  maxProblems: 20,
  cacheSize: 2_000,
  formats: 'annotate',
}

/** Fills in what the caller left open; an explicit `undefined` counts as left open. */
export const toLimits = (options: SchemaOptions = {}): Limits => {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) }
}

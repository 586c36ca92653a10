import { type Filled, withDefaults } from '../model/defaults.js'

/** Bounds around schemas and checks. Both come from strangers, so everything has an end. */
export interface SchemaOptions {
  /** Size of one schema in UTF-16 units of its canonical JSON. Default 262,144 (256 KB). */
  readonly maxBytes?: number | undefined
  /** Nesting of subschemas. Default 64. */
  readonly maxDepth?: number | undefined
  /** Subschemas in one schema. Default 2,000. */
  readonly maxSubschemas?: number | undefined
  /** Values of one `enum`. Default 10,000: lists of countries and time zones are long, 100,000 is an attack. */
  readonly maxEnum?: number | undefined
  /** References (`$ref`, `$dynamicRef`, `$recursiveRef`) that are followed. Default 1,000. */
  readonly maxRefs?: number | undefined
  /** Length of one regular expression. Default 4,096. */
  readonly maxPatternLength?: number | undefined
  /** Backtracking steps a pattern may need, by static estimate, to run natively. Default 1,000,000 (about 2 ms). */
  readonly maxPatternSteps?: number | undefined
  /** Milliseconds for a pattern that only the native engine understands and whose cost is unknown. Default 100. */
  readonly patternTimeoutMs?: number | undefined
  /** Nested references while one value is checked; bounds recursion by recursive schemas. Default 256. */
  readonly maxRefDepth?: number | undefined
  /** Milliseconds of work for one check. Default 500. */
  readonly checkTimeoutMs?: number | undefined
  /**
   * How many of them a call may take from the thread that serves everybody; what needs more is checked in another.
   * Default 5, and less for a while after checks that took it all.
   */
  readonly glanceTimeoutMs?: number | undefined
  /** Work for one check, in values of the schema visited; a second bound beside the time. Default 100,000,000. */
  readonly maxSteps?: number | undefined
  /** Problems reported for one value. Default 20. */
  readonly maxProblems?: number | undefined
  /** Compiled schemas kept. Default 2,000, the size of a large catalog. */
  readonly cacheSize?: number | undefined
  /** `annotate` ignores `format`, as the specification's default does; `assert` checks the formats we know. */
  readonly formats?: 'annotate' | 'assert' | undefined
}

/** The options with their defaults. */
export type Limits = Filled<SchemaOptions>

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
  checkTimeoutMs: 500,
  glanceTimeoutMs: 5,
  maxSteps: 100_000_000,
  maxProblems: 20,
  cacheSize: 2_000,
  formats: 'annotate',
}

export const toLimits = (options: SchemaOptions = {}): Limits => withDefaults(defaults, options)

import { integer, number } from '../../operations/shape.js'

/** Calls in figures: of all that are meant, of one point in time, of one name. */
export const figures = {
  calls: integer(),
  errors: integer(),
  cached: integer(),
  /** Percentiles are right within two hundredths. */
  p50Ms: number(),
  p95Ms: number(),
  p99Ms: number(),
  maxMs: number(),
  meanMs: number(),
  /** Sums. */
  waitingMs: number(),
  sourceMs: number(),
  ownMs: number(),
  argumentBytes: integer(),
  resultBytes: integer(),
  argumentTokens: integer(),
  resultTokens: integer(),
  cost: number(),
}

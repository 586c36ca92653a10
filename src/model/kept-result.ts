import type { Caller } from './caller.js'
import type { JsonObject } from './json.js'

/** By what a result that was cut is read on. */
export interface ResultHandle {
  readonly id: string
  /** Of the whole, in UTF-8. */
  readonly bytes: number
}

/** Keeps for a while what did not fit, so that whoever was given a part can read on (F11). */
export interface ResultKeeper {
  /**
   * Keeps the whole, as this caller would have been given it; `moreMs` longer than usual. Undefined where it is not kept:
   * too large, or nothing that this caller may read on by.
   */
  keep(whole: string, caller: Caller, moreMs?: number): ResultHandle | undefined
}

/** Where a cut result says how to read on, in its `_meta`. */
export const resultKey = 'pegboard/result'

/** The same as `_meta`, beside what there is. */
export const withHandle = (meta: JsonObject | undefined, { id, bytes }: ResultHandle): JsonObject => ({
  ...meta,
  [resultKey]: { id, bytes, uri: resultUri(id) },
})

/** The tool that reads on. */
export const readResultName = 'read_result'

export const resultUri = (id: string): string => `pegboard://result/${id}`

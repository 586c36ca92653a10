import type { Caller } from './caller.js'
import type { JsonObject } from './json.js'
import type { Answer } from './result.js'

/** By what a result that was cut is read on. */
export interface ResultHandle {
  readonly id: string
  /** Of the whole, in UTF-8. */
  readonly bytes: number
}

/** Cuts what does not fit and keeps the whole for a while, so that whoever was given a part can read on (N11). */
export interface ResultKeeper {
  /**
   * The answer within `limit` bytes of text, with how to read on. Undefined where the whole is not kept: it is too large, or
   * this caller has nothing to read on by; then it is cut without.
   */
  cut(answer: Answer, limit: number, caller: Caller, moreMs?: number): Answer | undefined
}

/** Where a cut result says how to read on, in its `_meta`. */
export const resultKey = 'pegboard/result'

/** The tool that reads on. */
export const readResultName = 'read_result'

export const resultUri = (id: string): string => `pegboard://result/${id}`

/** A handle as `_meta` tells it, beside what there is. */
export const withHandle = (meta: JsonObject | undefined, { id, bytes }: ResultHandle): JsonObject => ({
  ...meta,
  [resultKey]: { id, bytes, uri: resultUri(id) },
})

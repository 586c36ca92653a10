import type { Answer } from '../model/result.js'
import type { Passage } from './passage.js'

/** An answer at once, or later. Steps keep what is synchronous synchronous: `callSync` depends on it, and so does speed. */
export type Eventually<T> = T | Promise<T>

export type Run = (passage: Passage) => Eventually<Answer>

/** Middleware: one stage of a call, wrapped around the stages after it. Composed once, not per call. */
export type Step = (next: Run) => Run

/** Outermost step first. */
export const compose = (steps: readonly Step[], last: Run): Run => steps.reduceRight((next, step) => step(next), last)

export const isPromise = <T>(value: Eventually<T>): value is Promise<T> =>
  typeof (value as Promise<T> | undefined)?.then === 'function'

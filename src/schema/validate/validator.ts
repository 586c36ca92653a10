import { isGatewayError } from '../../errors.js'
import type { Limits } from '../limits.js'
import type { Problem } from '../problems.js'
import { DocumentCompiler } from './compiler.js'
import { type Fill, fillOf } from './defaults.js'
import { readDocument, type SchemaObject } from './document.js'
import { type Check, Exhausted, ValidationRun } from './run.js'

/** What a check found out. On success, the value with defaults merged: the input itself when none applied. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A schema ready to judge values. Never changes them, never throws for them. */
export interface Validator {
  check(value: unknown): Validation
}

/** Compiles a schema. Throws SCHEMA_INVALID or SCHEMA_UNSUPPORTED, naming the place inside it. */
export const compileValidator = (schema: SchemaObject, limits: Limits): Validator => {
  const document = readDocument(schema, limits)
  const compiler = new DocumentCompiler(document, limits)
  const check = compiler.compile()
  const fill = document.defaults ? fillOf(document.root, compiler) : undefined
  const shared = new ValidationRun(limits)
  let busy = false
  return {
    check: (value) => {
      // A getter on the value that checks something itself gets a run of its own.
      if (busy) return judge(check, fill, value, new ValidationRun(limits))
      busy = true
      try {
        return judge(check, fill, value, shared)
      } finally {
        busy = false
      }
    },
  }
}

const judge = (check: Check, fill: Fill | undefined, given: unknown, run: ValidationRun): Validation => {
  try {
    run.reset(undefined)
    const value = fill === undefined ? given : fill(given, run)
    if (check(value, run)) return { ok: true, value }
    // A second walk finds the words, so that the first one, which nearly always succeeds, allocates nothing.
    const problems: Problem[] = []
    run.reset(problems)
    check(value, run)
    return { ok: false, problems }
  } catch (thrown) {
    return { ok: false, problems: [problemOf(thrown)] }
  }
}

const problemOf = (thrown: unknown): Problem => {
  if (thrown instanceof Exhausted) return thrown.problem
  // The stack or the canonical form ended before our own bounds did.
  const tooDeep = thrown instanceof RangeError || isGatewayError(thrown)
  if (tooDeep) return { path: '', keyword: 'depth', message: 'could not be checked: it is nested too deeply' }
  throw thrown
}

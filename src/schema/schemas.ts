import { hash } from 'node:crypto'
import { GatewayError, isGatewayError } from '../errors.js'
import { type JsonObject, kindOf } from '../model/json.js'
import { canonicalJson } from './canonical.js'
import { type Limits, type SchemaOptions, toLimits } from './limits.js'
import type { Problem } from './problems.js'
import { DocumentCompiler } from './validate/compiler.js'
import { type Fill, fillOf } from './validate/defaults.js'
import { readDocument, type SchemaObject } from './validate/document.js'
import { type Check, Exhausted, ValidationRun } from './validate/run.js'

export type { SchemaOptions } from './limits.js'
export { formatProblems, type Problem } from './problems.js'

/** Compiles schemas and remembers them. */
export interface Schemas {
  /**
   * The validator of a schema; the same one for equal schemas. Schemas are immutable by contract: a changed object
   * keeps its first validator. Throws SCHEMA_INVALID or SCHEMA_UNSUPPORTED, naming the place inside the schema.
   */
  validator(schema: JsonObject | boolean): Validator
  /**
   * Checks in a thread of its own, for whoever was out of time at a glance. `whose` names the caller: nobody may have more
   * than a few waiting. Rejects with OVERLOADED.
   */
  checkApart(schema: JsonObject, value: unknown, whose: string): Promise<Validation>
}

/** Creates the schema engine: JSON Schema 2020-12 by default, 2019-09 and draft-07 by `$schema`. */
export const createSchemas = (options?: SchemaOptions): Schemas => {
  const limits = toLimits(options)
  // Two steps, so that equal schemas in different objects share one validator and memory stays bounded.
  const keys = new WeakMap<object, string | GatewayError>()
  const compiled = new RecentlyUsed<string, Validator | GatewayError>(limits.cacheSize)
  const pace = new Pace(limits.glanceTimeoutMs)
  return {
    checkApart: async (schema, value, whose) => {
      // Imported when first wanted: few gateways ever need a thread for this.
      apart ??= import('./apart.js').then(({ Apart }) => new Apart())
      return (await apart).check({ schema, value, limits }, whose)
    },
    validator: (schema) => {
      if (typeof schema === 'boolean') return compileValidator(schema ? {} : { not: {} }, limits, pace)
      refuseNonObject(schema)
      const key = keys.get(schema) ?? remember(keys, schema, () => keyOf(schema, limits))
      if (typeof key !== 'string') throw again(key)
      const found =
        compiled.get(key) ?? remember<string, Validator>(compiled, key, () => compileValidator(schema, limits, pace))
      if (found instanceof GatewayError) throw again(found)
      return found
    },
  }
}

// One for the process: what it saves is the process's one thread.
let apart: Promise<import('./apart.js').Apart> | undefined

/**
 * How long checks may hold up everybody else. One may take its whole time; those right after it get little, since a batch
 * or a flood of them comes in one go. What was taken is given back over five times as long.
 */
class Pace {
  readonly #mostMs: number
  #taken = 0
  #at = 0

  constructor(mostMs: number) {
    this.#mostMs = mostMs
  }

  get leftMs(): number {
    // Nearly always: nothing was taken, so nobody need know what time it is.
    if (this.#taken === 0) return this.#mostMs
    const now = performance.now()
    this.#taken = Math.max(0, this.#taken - (now - this.#at) / 5)
    this.#at = now
    return Math.max(this.#mostMs / 5, this.#mostMs - this.#taken)
  }

  take(milliseconds: number): void {
    if (milliseconds <= 0) return
    if (this.#taken === 0) this.#at = performance.now()
    this.#taken += milliseconds
  }
}

/** Refusals are remembered too: a schema bomb must not cost its compile time on every call. */
const remember = <K, V>(
  cache: { set(key: K, value: V | GatewayError): unknown },
  key: K,
  make: () => V,
): V | GatewayError => {
  const made = attempt(make)
  cache.set(key, made)
  return made
}

const attempt = <V>(make: () => V): V | GatewayError => {
  try {
    return make()
  } catch (thrown) {
    if (isGatewayError(thrown)) return thrown
    if (thrown instanceof RangeError) return new GatewayError('SCHEMA_INVALID', 'The schema is nested too deeply.')
    throw thrown
  }
}

const refuseNonObject = (schema: unknown): void => {
  if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return
  throw new GatewayError('SCHEMA_INVALID', `A schema must be an object or a boolean, got ${kindOf(schema)}.`)
}

const keyOf = (schema: JsonObject, limits: Limits): string =>
  hash('sha256', canonicalJson(schema, { maxLength: limits.maxBytes }), 'base64')

/** A fresh error, so that its stack names the caller of now. */
const again = (error: GatewayError): GatewayError =>
  new GatewayError(error.code, error.message, error.details ? { details: error.details } : {})

/** What a check found out. On success, the value with defaults merged: the input itself when none applied. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      /** Nobody knows: the time for a check was spent before its end. */
      readonly outOfTime?: boolean | undefined
    }

/** A schema ready to judge values. Never changes them, never throws for them. */
export interface Validator {
  check(value: unknown): Validation
  /** The same within the little time that one caller may take from all others; `outOfTime` where that was not enough. */
  glance(value: unknown): Validation
}

/** Compiles a schema. Throws SCHEMA_INVALID or SCHEMA_UNSUPPORTED, naming the place inside it. */
const compileValidator = (schema: SchemaObject, limits: Limits, pace: Pace): Validator => {
  const document = readDocument(schema, limits)
  const compiler = new DocumentCompiler(document, limits)
  const check = compiler.compile()
  const fill = document.defaults ? fillOf(document.root, compiler) : undefined
  const shared = new ValidationRun(limits)
  let busy = false
  const within = (timeoutMs: number, value: unknown): Validation => {
    // A getter on the value that checks something itself gets a run of its own.
    const run = busy ? new ValidationRun(limits) : shared
    const outer = busy
    busy = true
    run.timeoutMs = timeoutMs
    try {
      return judge(check, fill, value, run)
    } finally {
      pace.take(run.spentMs())
      run.rest()
      busy = outer
    }
  }
  return {
    check: (value) => within(limits.checkTimeoutMs, value),
    glance: (value) => within(pace.leftMs, value),
  }
}

const judge = (check: Check, fill: Fill | undefined, given: unknown, run: ValidationRun): Validation => {
  try {
    run.reset(undefined)
    const value = fill === undefined ? given : fill(given, run)
    if (check(value, run)) return { ok: true, value }
    return { ok: false, problems: explain(check, value, run) }
  } catch (thrown) {
    const problem = problemOf(thrown)
    return { ok: false, problems: [problem], outOfTime: problem.keyword === 'time' }
  }
}

/** A second walk finds the words, so that the first one, which nearly always succeeds, allocates nothing. */
const explain = (check: Check, value: unknown, run: ValidationRun): readonly Problem[] => {
  const problems: Problem[] = []
  try {
    run.reset(problems)
    check(value, run)
  } catch (thrown) {
    if (!(thrown instanceof Exhausted)) throw thrown
    // That it does not fit is known; there was no time to find every reason.
    if (problems.length === 0) return [{ path: '', keyword: 'schema', message: 'is not of the form asked for' }]
  }
  return problems
}

const problemOf = (thrown: unknown): Problem => {
  if (thrown instanceof Exhausted) return thrown.problem
  // The stack or the canonical form ended before our own bounds did.
  const tooDeep = thrown instanceof RangeError || isGatewayError(thrown)
  if (tooDeep) return { path: '', keyword: 'depth', message: 'could not be checked: it is nested too deeply' }
  throw thrown
}

/** An LRU cache: keeps so many, and forgets what was longest not asked for. Ours, since a program with one function should not carry a package for it. */
export class RecentlyUsed<K, V> {
  // In the order of use: a Map gives back what was put in first.
  readonly #entries = new Map<K, V>()
  readonly #most: number
  #last: K | undefined

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    // The same one over and over, as in a row of calls of one tool, is last already.
    if (value === undefined || key === this.#last) return value
    this.#entries.delete(key)
    return this.#put(key, value)
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#put(key, value)
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as K)
  }

  #put(key: K, value: V): V {
    this.#entries.set(key, value)
    this.#last = key
    return value
  }
}

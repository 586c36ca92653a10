import type { Limits } from '../limits.js'
import { escapePointer, type Problem } from '../problems.js'
import { Scope, Stopwatch } from './memory.js'

/**
 * One compiled piece of a schema. Closures instead of generated source, because upstream schemas are untrusted and
 * ajv turns them into code (1.2 ms per compile, measured); and instead of an interpreter, because
 * \@cfworker/json-schema takes about 16 us per check, knows no defaults and runs patterns without a bound.
 */
export type Check = (value: unknown, run: ValidationRun) => boolean

/** The state of one check. Quiet (`problems` undefined) it stops at the first failure and allocates nothing. */
export class ValidationRun {
  problems: Problem[] | undefined
  readonly path: (string | number)[] = []
  /** Resources entered, outermost first: what `$dynamicRef` and `$recursiveRef` look through. */
  scope = new Scope([])
  /** Something was written down in `scope`. */
  remembers = false
  depth = 0
  steps = 0
  /** References followed so far. */
  references = 0
  /** Parts of defaults copied into the value. */
  copied = 0
  /** At how many steps the clock is looked at next. */
  lookAt: number
  readonly limits: Limits
  /** How long this check may take. */
  timeoutMs: number
  readonly #firstLook: number
  #watch: Stopwatch | undefined
  #outermost = this.scope

  constructor(limits: Limits) {
    this.limits = limits
    this.timeoutMs = limits.checkTimeoutMs
    this.#firstLook = Math.min(stepsBetweenLooks, limits.maxSteps + 1)
    this.lookAt = this.#firstLook
  }

  reset(problems: Problem[] | undefined): void {
    this.problems = problems
    // Writing a length costs more than the check of a small value, so only when a run was cut short.
    if (this.path.length > 0) this.path.length = 0
    this.scope = this.#outermost
    this.depth = 0
    this.steps = 0
    this.references = 0
    this.copied = 0
    this.lookAt = this.#firstLook
  }

  /** Milliseconds spent so far; 0 for a check too small to have looked at the clock. */
  spentMs(): number {
    return this.#watch === undefined ? 0 : this.timeoutMs - this.#watch.leftOf(this.timeoutMs)
  }

  /** Forgets what a long check remembered: a validator lives longer than the values it judges. */
  rest(): void {
    if (this.#watch === undefined && !this.remembers) return
    this.#watch = undefined
    this.remembers = false
    this.scope = this.#outermost = new Scope([])
  }

  /** Ends the check where its steps or its time are spent. */
  look(): void {
    if (this.steps > this.limits.maxSteps) {
      throw new Exhausted('steps', 'could not be checked: its schema asks for too much work on a value of this size')
    }
    this.lookAt = Math.min(this.steps + stepsBetweenLooks, this.limits.maxSteps + 1)
    if (this.leftMs() <= 0) throw tooSlow(this.timeoutMs)
  }

  /** Milliseconds that the check still has. The clock runs from the first time it is asked. */
  leftMs(): number {
    this.#watch ??= new Stopwatch()
    return this.#watch.leftOf(this.timeoutMs)
  }
}

/**
 * Steps between two looks at the clock. A step takes well under a microsecond, so that a check ends within a
 * millisecond of its time; and a small one, which has fewer, never asks what time it is.
 */
const stepsBetweenLooks = 1024

/** References after which a check remembers what it found out: below, that would cost more than asking again. */
export const rememberAfter = 2048

const tooSlow = (timeoutMs: number): Exhausted =>
  new Exhausted(
    'time',
    `could not be checked within ${timeoutMs} ms; send less at once, or ask whoever made the tool for a simpler schema`,
  )

/** Thrown to end a whole check: a plain `false` would turn into success below `not`. */
export class Exhausted {
  readonly problem: Problem
  constructor(keyword: string, message: string) {
    this.problem = { path: '', keyword, message }
  }
}

/** Counts work; ends the check when its allowance is spent. */
export const spend = (run: ValidationRun, steps: number): void => {
  run.steps += steps
  if (run.steps >= run.lookAt) run.look()
}

/** Runs `task` one reference deeper. */
export const deeper = <T>(run: ValidationRun, task: () => T): T => {
  enterReference(run, 1)
  const result = task()
  run.depth -= 1
  return result
}

/** One reference deeper; the caller takes the step back. Every recursion passes here, so here it is bounded. */
export const enterReference = (run: ValidationRun, weight: number): void => {
  spend(run, weight)
  run.references += 1
  run.depth += 1
  if (run.depth > run.limits.maxRefDepth) {
    throw new Exhausted('depth', 'could not be checked: it is nested too deeply for its recursive schema')
  }
}

/** Notes a problem when someone wants to read it, and fails. */
export const refuse = (run: ValidationRun, keyword: string, message: string): false => {
  if (run.problems !== undefined) report(run, run.path, keyword, message)
  return false
}

/** Like `refuse`, about a member of the value at hand. */
export const refuseAt = (run: ValidationRun, key: string | number, keyword: string, message: string): false => {
  if (run.problems !== undefined) report(run, [...run.path, key], keyword, message)
  return false
}

const report = (run: ValidationRun, path: readonly (string | number)[], keyword: string, message: string): void => {
  const problems = run.problems
  if (problems === undefined || problems.length >= run.limits.maxProblems) return
  problems.push({ path: path.map((key) => `/${escapePointer(key)}`).join(''), keyword, message })
}

/** Checks a member of the value at hand; the path costs something only while problems are collected. */
export const descend = (check: Check, value: unknown, key: string | number, run: ValidationRun): boolean => {
  if (run.problems === undefined) return check(value, run)
  run.path.push(key)
  const ok = check(value, run)
  run.path.pop()
  return ok
}

/** Asks without noting problems: branches that may fail. */
export const matches = (check: Check, value: unknown, run: ValidationRun): boolean => {
  const problems = run.problems
  if (problems === undefined) return check(value, run)
  run.problems = undefined
  const ok = check(value, run)
  run.problems = problems
  return ok
}

/** Allows everything. */
export const pass: Check = () => true
/** Allows nothing. */
export const never: Check = (_value, run) => refuse(run, 'false', 'is not allowed here')

/** All of them; quiet runs stop at the first failure, collecting ones see every problem. */
export const all = (checks: readonly Check[]): Check => {
  const [first, second, third] = checks
  if (first === undefined) return pass
  if (second === undefined) return first
  if (third === undefined) return both(first, second)
  return (value, run) => {
    let ok = true
    for (let i = 0; i < checks.length; i++) {
      if ((checks[i] as Check)(value, run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

const both =
  (first: Check, second: Check): Check =>
  (value, run) => {
    if (first(value, run)) return second(value, run)
    if (run.problems !== undefined) second(value, run)
    return false
  }

/** An object in the sense of JSON; its members are read with `own` only. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own member, or undefined: `toString` and `__proto__` of the prototype are not data. */
export const own = (object: Readonly<Record<string, unknown>>, key: string): unknown => {
  const value = object[key]
  return value !== undefined && Object.hasOwn(object, key) ? value : undefined
}

/** Its keys, counted: an object may have a hundred thousand, and a schema may ask for them a thousand times. */
export const keysOf = (object: Readonly<Record<string, unknown>>, run: ValidationRun): readonly string[] => {
  const keys = Object.keys(object)
  if (keys.length > 3) spend(run, keys.length >> 2)
  return keys
}

import { createRequire } from 'node:module'
import vm from 'node:vm'
import type { RE2JS } from 're2js'
import { GatewayError } from '../../errors.js'
import type { Limits } from '../limits.js'
import { type Cost, costOf } from './cost.js'
import { parsePattern } from './parse.js'
import type { PatternNode } from './syntax.js'
import { toRe2 } from './to-re2.js'

/** Where the work of a pattern is written down. */
export interface Meter {
  steps: number
}

/** A pattern from a stranger, run so that it ends. */
export interface Pattern {
  /** Where in the schema it stands. */
  readonly path: string
  /** Whether it is found in the text; undefined when that could not be said in time. */
  test(text: string, meter: Meter): boolean | undefined
}

/**
 * Three engines, the cheapest safe one for each text: the native one while a static bound on its backtracking is
 * small; RE2 in linear time otherwise; and for what RE2 lacks (look-around, back-references), the native one under a
 * timeout. Throws SCHEMA_INVALID for what is no regular expression.
 */
export const compilePattern = (source: string, path: string, limits: Limits): Pattern => {
  const native = compileNative(source, path, limits.maxPatternLength)
  const tree = parsePattern(source)
  const cost = tree === undefined ? unknownCost : costOf(tree)
  const nativeUpTo = longestNative(cost, limits.maxPatternSteps)
  let linear: RE2JS | undefined
  let linearTried = false
  return {
    path,
    test: (text, meter) => {
      if (text.length <= nativeUpTo && meter.steps < nativeAllowance) {
        meter.steps += text.length < 16 ? 1 : estimate(cost, text.length) / nativeStepsPerStep
        return native.test(text)
      }
      if (!linearTried) linear = compileLinear(tree)
      linearTried = true
      return linear !== undefined && text.length <= longestLinear
        ? testLinear(linear, text, meter)
        : testTimed(native, text, meter, limits.patternTimeoutMs)
    },
  }
}

// 1 Mi characters take RE2 about 10 ms; beyond, the timeout decides.
const longestLinear = 1024 * 1024
// Charged against the steps of the whole check, so that thousands of texts are bounded too. A backtracking step is
// far cheaper than visiting a subschema; a check that spent its native allowance goes on with RE2.
const nativeStepsPerStep = 16
const nativeAllowance = 2_000_000
const linearStepsPerCharacter = 4
const stepsPerMillisecond = 50_000

const compileNative = (source: string, path: string, maxLength: number): RegExp => {
  if (source.length > maxLength) throw refuse(path, `is longer than ${maxLength} characters; shorten the pattern`)
  try {
    return new RegExp(source, 'u')
  } catch {
    // Many patterns escape more than Unicode mode allows (`\-`, `\_`).
    try {
      return new RegExp(source)
    } catch (cause) {
      throw refuse(path, 'is not a regular expression', cause)
    }
  }
}

const refuse = (path: string, problem: string, cause?: unknown): GatewayError =>
  new GatewayError('SCHEMA_INVALID', `The schema is invalid at '${path}': ${problem}.`, { details: { path }, cause })

const unknownCost: Cost = { degree: 0, log2Factor: 0, exponential: true }

const estimate = ({ degree, log2Factor }: Cost, length: number): number => 2 ** log2Factor * length ** degree

/** The longest text the native engine surely finishes within the given steps. */
const longestNative = ({ degree, log2Factor, exponential }: Cost, maxSteps: number): number => {
  const allowed = maxSteps / 2 ** log2Factor
  if (exponential || allowed < 1) return -1
  return degree === 0 ? Infinity : Math.floor(allowed ** (1 / degree))
}

/** Loaded when first needed: most schemas never ask for it, and it takes a while to load. */
const compileLinear = (tree: PatternNode | undefined): RE2JS | undefined => {
  const spelled = tree === undefined ? undefined : toRe2(tree)
  if (spelled === undefined) return undefined
  try {
    const re2 = createRequire(import.meta.url)('re2js') as typeof import('re2js')
    return re2.RE2JS.compile(spelled)
  } catch {
    // Too many repetitions or an unknown property: left to the timeout.
    return undefined
  }
}

const testLinear = (pattern: RE2JS, text: string, meter: Meter): boolean => {
  meter.steps += text.length * linearStepsPerCharacter
  return pattern.test(text)
}

let timed: { readonly context: vm.Context; readonly script: vm.Script } | undefined

/** The script is ours; pattern and text enter as values, so nothing of a stranger is evaluated. */
const testTimed = (pattern: RegExp, text: string, meter: Meter, timeoutMs: number): boolean | undefined => {
  timed ??= { context: vm.createContext(Object.create(null)), script: new vm.Script('pattern.test(text)') }
  const started = performance.now()
  try {
    Object.assign(timed.context, { pattern, text })
    return timed.script.runInContext(timed.context, { timeout: timeoutMs }) as boolean
  } catch {
    return undefined
  } finally {
    Object.assign(timed.context, { pattern: undefined, text: undefined })
    meter.steps += Math.ceil((performance.now() - started) * stepsPerMillisecond)
  }
}

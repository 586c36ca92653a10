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
  /** Milliseconds that are left for everything. */
  leftMs(): number
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
  let plan: Plan | undefined
  return {
    path,
    test: (text, meter) => {
      plan ??= planOf(source, limits, meter)
      if (plan.size > largestLinear && meter.leftMs() < leastMs) return undefined
      if (text.length <= plan.nativeUpTo && meter.steps < nativeAllowance) {
        meter.steps += text.length < 16 ? 1 : estimate(plan.cost, text.length) / nativeStepsPerStep
        return native.test(text)
      }
      const { size } = plan
      if (size > largestLinear || linearMs(size, text.length) > meter.leftMs())
        return testTimed(native, text, meter, limits.patternTimeoutMs)
      plan.linear ??= compileLinear(plan.tree, meter) ?? 'none'
      return plan.linear === 'none'
        ? testTimed(native, text, meter, limits.patternTimeoutMs)
        : testLinear(plan.linear, text, size, meter)
    },
  }
}

/** What is found out about a pattern when it is first asked: a schema may hold a thousand that nobody ever asks. */
interface Plan {
  readonly tree: PatternNode | undefined
  readonly cost: Cost
  /** The longest text that the native engine surely finishes in time. */
  readonly nativeUpTo: number
  /** Of RE2's program, about. */
  readonly size: number
  linear: RE2JS | 'none' | undefined
}

const planOf = (source: string, limits: Limits, meter: Meter): Plan => {
  meter.steps += source.length * stepsPerPatternCharacter
  const tree = parsePattern(source)
  const cost = tree === undefined ? unknownCost : costOf(tree)
  const size = tree === undefined ? Infinity : sizeOf(tree)
  return { tree, cost, nativeUpTo: longestNative(cost, limits.maxPatternSteps), size, linear: undefined }
}

// Charged against the steps of the whole check, so that thousands of texts are bounded too. A backtracking step is
// far cheaper than visiting a subschema; a check that spent its native allowance goes on with RE2.
const nativeStepsPerStep = 16
const nativeAllowance = 20_000_000
const stepsPerPatternCharacter = 8
const stepsPerMillisecond = 5000
// RE2 takes 0.1 us for a character while its states fit its memory, and 20 ns per instruction where they do not.
const linearMs = (size: number, length: number): number => (length * (100 + 20 * size)) / 1e6
const largestLinear = 5000
// The engine compiles a pattern when it is first tried, which nothing can interrupt: for some of the longest it takes 70 ms.
// With less time than this, as at a glance, it is not tried.
const leastMs = 20

/** How large the program of an engine that does not backtrack becomes: what is repeated is written out. */
const sizeOf = (node: PatternNode): number => {
  switch (node.type) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + sizeOf(item), 1)
    case 'choice':
      return node.options.reduce((sum, option) => sum + 1 + sizeOf(option), 1)
    case 'repeat':
      return 1 + sizeOf(node.body) * Math.max(1, node.max === Infinity ? node.min + 1 : node.max)
    case 'look':
      return 1 + sizeOf(node.body)
    default:
      return 1
  }
}

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
const compileLinear = (tree: PatternNode | undefined, meter: Meter): RE2JS | undefined => {
  const spelled = tree === undefined ? undefined : toRe2(tree)
  if (spelled === undefined) return undefined
  try {
    meter.steps += spelled.length * stepsPerPatternCharacter
    const re2 = createRequire(import.meta.url)('re2js') as typeof import('re2js')
    return re2.RE2JS.compile(spelled)
  } catch {
    // Too many repetitions or an unknown property: left to the timeout.
    return undefined
  }
}

const testLinear = (pattern: RE2JS, text: string, size: number, meter: Meter): boolean => {
  meter.steps += Math.ceil(linearMs(size, text.length) * stepsPerMillisecond)
  return pattern.test(text)
}

let timed: { readonly context: vm.Context; readonly script: vm.Script } | undefined

/** The script is ours; pattern and text enter as values, so nothing of a stranger is evaluated. */
const testTimed = (pattern: RegExp, text: string, meter: Meter, timeoutMs: number): boolean | undefined => {
  timed ??= { context: vm.createContext(Object.create(null)), script: new vm.Script('pattern.test(text)') }
  const started = performance.now()
  const left = meter.leftMs()
  if (left < leastMs) return undefined
  const timeout = Math.ceil(Math.min(timeoutMs, left))
  try {
    Object.assign(timed.context, { pattern, text })
    return timed.script.runInContext(timed.context, { timeout }) as boolean
  } catch {
    return undefined
  } finally {
    Object.assign(timed.context, { pattern: undefined, text: undefined })
    meter.steps += Math.ceil((performance.now() - started) * stepsPerMillisecond)
  }
}

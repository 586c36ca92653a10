import { type JsonObject, kindOf } from '../model/json.js'
import { type SchemaOptions, toLimits } from './limits.js'
import { escapePointer, type Problem } from './problems.js'
import { DocumentCompiler, type Keyword } from './validate/compiler.js'
import { applicators, type Shape } from './validate/dialects.js'
import { invalid, readDocument, type SchemaDocument, type SchemaObject } from './validate/document.js'
import { keywordsOf } from './validate/keywords.js'
import { type Check, Exhausted, isObject, refuse, ValidationRun } from './validate/run.js'

/** A yes or no about values, by JSON Schema and by keywords of whoever asks. */
export interface Predicate {
  /** Undefined: nobody can say. Its bounds were reached, or a keyword met a value that it does not speak of. */
  test(value: unknown): boolean | undefined
  /** Why not, for people; empty where it fits. */
  explain(value: unknown): readonly Problem[]
}

/** Judges one value; undefined where the value is of a form that nobody can be sure of. */
export interface OwnTest {
  /** What a value must be: `must be a path under /srv`. */
  readonly words: string
  test(value: unknown): boolean | undefined
}

/** Reads the parameter of a keyword; throws an Error that says what is wrong with it. */
export type OwnKeyword = (parameter: unknown) => OwnTest

/**
 * Compiles a condition. Unlike a tool's schema it is written by somebody who means every word of it: a keyword that is not
 * known is refused, since a condition that is passed over decides wrongly for ever; and a keyword for numbers says nothing of
 * a text, so that whoever asks can take the careful side. Throws SCHEMA_INVALID or SCHEMA_UNSUPPORTED with the place.
 */
export const compilePredicate = (
  schema: JsonObject,
  own: Readonly<Record<string, OwnKeyword>>,
  options: SchemaOptions = {},
): Predicate => {
  const limits = toLimits({ checkTimeoutMs: 20, patternTimeoutMs: 20, formats: 'assert', ...options })
  const document = readDocument(schema, limits)
  const keywords = careful(keywordsOf(document), own)
  refuseUnknown(document, keywords)
  const check = new DocumentCompiler(document, limits, keywords).compile()
  const shared = new ValidationRun(limits)
  let busy = false
  const within = <T>(ask: (run: ValidationRun) => T): T => {
    // A getter on the value that asks something itself gets a run of its own.
    const run = busy ? new ValidationRun(limits) : shared
    const outer = busy
    busy = true
    try {
      return ask(run)
    } finally {
      run.rest()
      busy = outer
    }
  }
  return {
    test: (value) => within((run) => verdictOf(check, value, run)),
    explain: (value) => within((run) => problemsOf(check, value, run)),
  }
}

const verdictOf = (check: Check, value: unknown, run: ValidationRun): boolean | undefined => {
  try {
    run.reset(undefined)
    return check(value, run)
  } catch (thrown) {
    if (isBound(thrown)) return undefined
    throw thrown
  }
}

const problemsOf = (check: Check, value: unknown, run: ValidationRun): readonly Problem[] => {
  const problems: Problem[] = []
  try {
    run.reset(problems)
    check(value, run)
  } catch (thrown) {
    if (!isBound(thrown)) throw thrown
    const path = run.path.map((key) => `/${escapePointer(key)}`).join('')
    problems.push(thrown instanceof Exhausted ? { ...thrown.problem, path } : tooDeep)
  }
  return problems
}

const tooDeep: Problem = { path: '', keyword: 'depth', message: 'could not be judged: it is nested too deeply' }

// The stack may end before our own bounds do.
const isBound = (thrown: unknown): boolean => thrown instanceof Exhausted || thrown instanceof RangeError

type Speaks = (value: unknown) => boolean

const ofNumbers: Speaks = (value) => typeof value === 'number'
const ofTexts: Speaks = (value) => typeof value === 'string'
const ofLists: Speaks = Array.isArray
const ofObjects: Speaks = isObject

/** Of which values a keyword says something. Those that are not here speak of all. */
const spoken: Readonly<Record<string, Speaks>> = Object.assign(Object.create(null), {
  ...each(ofNumbers, 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...each(ofTexts, 'minLength maxLength pattern format'),
  ...each(ofLists, 'minItems maxItems uniqueItems items prefixItems additionalItems contains unevaluatedItems'),
  ...each(ofObjects, 'required minProperties maxProperties properties patternProperties additionalProperties'),
  ...each(ofObjects, 'propertyNames dependencies dependentRequired dependentSchemas unevaluatedProperties'),
})

function each(speaks: Speaks, names: string): Readonly<Record<string, Speaks>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, speaks]))
}

const careful = (
  keywords: ReadonlyMap<string, Keyword>,
  own: Readonly<Record<string, OwnKeyword>>,
): ReadonlyMap<string, Keyword> =>
  new Map<string, Keyword>([
    ...[...keywords].map(([name, keyword]): [string, Keyword] => [name, carefully(name, keyword)]),
    ...Object.entries(own).map(([name, keyword]): [string, Keyword] => [name, ownKeyword(name, keyword)]),
  ])

const carefully = (name: string, keyword: Keyword): Keyword => {
  const speaks = spoken[name]
  if (!speaks) return keyword
  return (parameter, place, compiler) => {
    const check = keyword(parameter, place, compiler)
    return (
      check &&
      ((value, run) => {
        if (speaks(value)) return check(value, run)
        throw new Exhausted(name, `cannot be judged by ${name}: it is ${kindOf(value)}`)
      })
    )
  }
}

const ownKeyword =
  (name: string, keyword: OwnKeyword): Keyword =>
  (parameter, place) => {
    const { words, test } = read(() => keyword(parameter), `${place.path}/${name}`)
    return (value, run) => {
      const verdict = test(value)
      if (verdict === undefined) throw new Exhausted(name, `${words}, and nobody can be sure of this one`)
      return verdict || refuse(run, name, words)
    }
  }

const read = (make: () => OwnTest, path: string): OwnTest => {
  try {
    return make()
  } catch (error) {
    throw invalid(path, (error as Error).message)
  }
}

/** Keywords that hold definitions or words, or belong to another one. */
const silent: ReadonlySet<string> = new Set(
  '$schema $id $anchor $dynamicAnchor $recursiveAnchor $defs definitions $comment title description default examples deprecated then else minContains maxContains'.split(
    ' ',
  ),
)

const refuseUnknown = (document: SchemaDocument, keywords: ReadonlyMap<string, Keyword>): void => {
  const holders = applicators[document.dialect]
  const visit = (schema: unknown, path: string): void => {
    if (!isObject(schema)) return
    for (const [name, value] of Object.entries(schema as SchemaObject)) {
      const here = `${path}/${escapePointer(name)}`
      if (!keywords.has(name) && !silent.has(name)) throw invalid(here, unknownWords(name, keywords))
      const shape = holders.get(name)
      if (shape) for (const [key, child] of childrenOf(shape, value)) visit(child, key === '' ? here : `${here}/${key}`)
    }
  }
  visit(document.root.schema, '')
}

const childrenOf = (shape: Shape, value: unknown): readonly (readonly [string, unknown])[] => {
  if (shape === 'one' || (shape === 'one-or-list' && !Array.isArray(value))) return [['', value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, child]) => [escapePointer(key), child])
}

const unknownWords = (name: string, keywords: ReadonlyMap<string, Keyword>): string => {
  const folded = name.toLowerCase()
  const near = [...keywords.keys()].find((each) => each.toLowerCase() === folded || isNear(each, name))
  return `is no keyword that a condition knows${near ? ` (did you mean ${near}?)` : ''}`
}

/** One letter more, less or another, or two in each other's place. */
const isNear = (known: string, written: string): boolean => {
  if (Math.abs(known.length - written.length) > 1 || known.length < 4) return false
  let at = 0
  while (at < known.length && known[at] === written[at]) at++
  const [left, right] = [known.slice(at), written.slice(at)]
  if (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)) return true
  return left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1)
}

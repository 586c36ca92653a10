import type { Problem } from '../../problems.js'
import type { Keyword } from '../compiler.js'
import { all, type Check, matches, refuse, type ValidationRun } from '../run.js'
import { placesOfList } from './parameters.js'

export const allOf: Keyword = (parameter, place, compiler) =>
  all(placesOfList(parameter, place, 'allOf', compiler).map((target) => compiler.inPlace(place, target)))

export const anyOf: Keyword = (parameter, place, compiler) => {
  const branches = placesOfList(parameter, place, 'anyOf', compiler).map((target) => compiler.inPlace(place, target))
  return (value, run) => {
    for (let i = 0; i < branches.length; i++) if (matches(branches[i]!, value, run)) return true
    return refuseBranches(branches, value, run, 'anyOf')
  }
}

export const oneOf: Keyword = (parameter, place, compiler) => {
  const branches = placesOfList(parameter, place, 'oneOf', compiler).map((target) => compiler.inPlace(place, target))
  return (value, run) => {
    let fitting = 0
    for (let i = 0; i < branches.length && fitting < 2; i++) if (matches(branches[i]!, value, run)) fitting += 1
    if (fitting === 1) return true
    if (fitting === 0) return refuseBranches(branches, value, run, 'oneOf')
    return refuse(run, 'oneOf', 'must fit exactly one of the allowed forms, but fits several')
  }
}

/**
 * Says why nothing fitted. When only one branch is of the value's type (an optional object beside null), that
 * branch's problems are what the caller needs; "fits none of 2 forms" would help nobody.
 */
const refuseBranches = (branches: readonly Check[], value: unknown, run: ValidationRun, keyword: string): false => {
  const outer = run.problems
  if (outer === undefined) return false
  const near = branches.map((branch) => problemsOf(branch, value, run)).filter((found) => !isTypeMismatch(found, run))
  run.problems = outer
  const [only, other] = near
  if (only === undefined || other !== undefined || only.length === 0) {
    return refuse(run, keyword, `must fit one of the ${branches.length} allowed forms`)
  }
  for (const problem of only) if (outer.length < run.limits.maxProblems) outer.push(problem)
  return false
}

const problemsOf = (branch: Check, value: unknown, run: ValidationRun): readonly Problem[] => {
  const found: Problem[] = []
  run.problems = found
  branch(value, run)
  return found
}

const isTypeMismatch = (problems: readonly Problem[], run: ValidationRun): boolean => {
  const here = run.path.length
  return problems.some(
    ({ path, keyword }) =>
      (keyword === 'type' || keyword === 'const' || keyword === 'enum') && path.split('/').length - 1 === here,
  )
}

export const not: Keyword = (_parameter, place, compiler) => {
  const check = compiler.inPlace(place, compiler.document.at(place, 'not'))
  return (value, run) => !matches(check, value, run) || refuse(run, 'not', 'is of a form that is excluded')
}

/** `then` and `else` mean nothing without it, so they have no keyword of their own. */
export const ifThenElse: Keyword = (_parameter, place, compiler) => {
  const branch = (keyword: 'if' | 'then' | 'else'): Check | undefined =>
    place.schema[keyword] === undefined ? undefined : compiler.inPlace(place, compiler.document.at(place, keyword))
  const condition = branch('if')
  const yes = branch('then')
  const no = branch('else')
  if (condition === undefined || (yes === undefined && no === undefined)) return undefined
  return (value, run) => {
    const chosen = matches(condition, value, run) ? yes : no
    return chosen === undefined || chosen(value, run)
  }
}

import type { Pattern } from '../../pattern/pattern.js'
import type { Compiler, Keyword, SchemaPlace } from '../compiler.js'
import { type Check, descend, isObject, keysOf, own, refuse, refuseAt, spend, type ValidationRun } from '../run.js'
import { countParameter, namesParameter, placesOfMap } from './parameters.js'
import { patternAt, patternMatches } from './strings.js'

export const required: Keyword = (parameter, place) => {
  const names = namesParameter(parameter, `${place.path}/required`)
  if (names.length === 0) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (let i = 0; i < names.length; i++) {
      if (own(value, names[i]!) !== undefined) continue
      ok = refuseAt(run, names[i]!, 'required', 'is required')
      if (run.problems === undefined) return false
    }
    return ok
  }
}

export const minProperties: Keyword = (parameter, place) => {
  const limit = countParameter(parameter, place, 'minProperties')
  const message = `must have at least ${limit} properties`
  return (value, run) => !isObject(value) || count(value, run) >= limit || refuse(run, 'minProperties', message)
}

export const maxProperties: Keyword = (parameter, place) => {
  const limit = countParameter(parameter, place, 'maxProperties')
  const message = `must have at most ${limit} properties`
  return (value, run) => !isObject(value) || count(value, run) <= limit || refuse(run, 'maxProperties', message)
}

/** Keys that hold `undefined` are absent: JSON would drop them. */
const count = (value: Readonly<Record<string, unknown>>, run: ValidationRun): number => {
  let present = 0
  for (const key of keysOf(value, run)) if (value[key] !== undefined) present += 1
  return present
}

export const properties: Keyword = (parameter, place, compiler) => {
  const places = placesOfMap(parameter, place, 'properties', compiler)
  const names = places.map(([name]) => name)
  const checks = places.map(([, target]) => compiler.member(target))
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!
      const item = value[name]
      if (item === undefined || !Object.hasOwn(value, name) || descend(checks[i]!, item, name, run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

export const patternProperties: Keyword = (parameter, place, compiler) => {
  const rules = placesOfMap(parameter, place, 'patternProperties', compiler).map(([source, target]) => ({
    pattern: patternAt(source, target.path, compiler),
    check: compiler.member(target),
    weight: compiler.weigh(target),
  }))
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const key of keysOf(value, run)) {
      for (const { pattern, check, weight } of rules) {
        if (value[key] === undefined || !patternMatches(pattern, key, run)) continue
        spend(run, weight)
        if (descend(check, value[key], key, run)) continue
        if (run.problems === undefined) return false
        ok = false
      }
    }
    return ok
  }
}

export const additionalProperties: Keyword = (_parameter, place, compiler) => {
  const target = compiler.document.at(place, 'additionalProperties')
  if (target.schema === true) return undefined
  const known = knownNames(place)
  const patterns = patternsOf(place, compiler)
  const extra = target.schema === false ? undefined : compiler.member(target)
  const weight = compiler.weigh(target)
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const key of keysOf(value, run)) {
      if (known.has(key) || value[key] === undefined) continue
      if (patterns.length > 0 && patterns.some((pattern) => patternMatches(pattern, key, run))) continue
      spend(run, weight)
      if (judgeExtra(extra, value[key], key, 'additionalProperties', run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

/** Judges a property nobody declared; without a check, there must be none. */
export const judgeExtra = (
  check: Check | undefined,
  value: unknown,
  key: string,
  keyword: string,
  run: ValidationRun,
): boolean =>
  check === undefined ? refuseAt(run, key, keyword, 'is not a known property') : descend(check, value, key, run)

const knownNames = (place: SchemaPlace): ReadonlySet<string> =>
  new Set(isObject(place.schema.properties) ? Object.keys(place.schema.properties) : [])

/** The patterns beside `additionalProperties` in the same subschema. */
export const patternsOf = (place: SchemaPlace, compiler: Compiler): readonly Pattern[] => {
  const listed = place.schema.patternProperties
  if (!isObject(listed)) return []
  return Object.keys(listed).map((source) => patternAt(source, `${place.path}/patternProperties`, compiler))
}

export const propertyNames: Keyword = (_parameter, place, compiler) => {
  const target = compiler.document.at(place, 'propertyNames')
  const check = compiler.member(target)
  const weight = compiler.weigh(target)
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const key of keysOf(value, run)) {
      spend(run, weight)
      if (value[key] === undefined || descend(check, key, key, run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

import { kindOf } from '../../../model/json.js'
import type { Compiler, Keyword, SchemaPlace } from '../compiler.js'
import { invalid } from '../document.js'
import { all, type Check, isObject, own, refuseAt } from '../run.js'
import { namesParameter, placesOfMap } from './parameters.js'

export const dependentRequired: Keyword = (parameter, place) => {
  const path = `${place.path}/dependentRequired`
  if (!isObject(parameter)) throw invalid(path, `must map names to lists of names, got ${kindOf(parameter)}`)
  return all(Object.keys(parameter).map((name) => whenPresent(name, needs(name, parameter[name], path))))
}

export const dependentSchemas: Keyword = (parameter, place, compiler) =>
  all(
    placesOfMap(parameter, place, 'dependentSchemas', compiler).map(([name, target]) =>
      whenPresent(name, compiler.inPlace(place, target)),
    ),
  )

/** Draft-07's form of both. Later drafts let implementations go on reading it, and schemas go on using it. */
export const dependencies: Keyword = (parameter, place, compiler) => {
  const path = `${place.path}/dependencies`
  if (!isObject(parameter)) throw invalid(path, `must map names to names or schemas, got ${kindOf(parameter)}`)
  return all(
    Object.keys(parameter).map((name) => whenPresent(name, dependency(name, parameter[name], place, compiler))),
  )
}

const dependency = (name: string, value: unknown, place: SchemaPlace, compiler: Compiler): Check =>
  Array.isArray(value)
    ? needs(name, value, `${place.path}/dependencies`)
    : compiler.inPlace(place, compiler.document.at(place, 'dependencies', name))

const whenPresent =
  (name: string, check: Check): Check =>
  (value, run) =>
    !isObject(value) || own(value, name) === undefined || check(value, run)

const needs = (name: string, value: unknown, path: string): Check => {
  const names = namesParameter(value, `${path}/${name}`)
  const message = `is required when '${name.slice(0, 60)}' is given`
  return (value, run) => {
    let ok = true
    for (const needed of names) {
      if (own(value as Readonly<Record<string, unknown>>, needed) !== undefined) continue
      ok = refuseAt(run, needed, 'dependentRequired', message)
      if (run.problems === undefined) return false
    }
    return ok
  }
}

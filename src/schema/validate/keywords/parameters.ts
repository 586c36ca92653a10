import { kindOf } from '../../../model/json.js'
import type { Compiler, SchemaPlace } from '../compiler.js'
import { invalid, type SchemaLocation } from '../document.js'
import { isObject } from '../run.js'

// What a keyword accepts as its own value. Each throws SCHEMA_INVALID with the place inside the schema.

export const numberParameter = (value: unknown, place: SchemaLocation, keyword: string): number => {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalid(`${place.path}/${keyword}`, `must be a number, got ${kindOf(value)}`)
}

export const countParameter = (value: unknown, place: SchemaLocation, keyword: string): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw invalid(`${place.path}/${keyword}`, `must be a whole number that is not negative, got ${kindOf(value)}`)
}

export const stringParameter = (value: unknown, place: SchemaLocation, keyword: string): string => {
  if (typeof value === 'string') return value
  throw invalid(`${place.path}/${keyword}`, `must be a string, got ${kindOf(value)}`)
}

export const namesParameter = (value: unknown, path: string): readonly string[] => {
  if (!Array.isArray(value)) throw invalid(path, `must be a list of names, got ${kindOf(value)}`)
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] !== 'string') throw invalid(`${path}/${i}`, `must be a name, got ${kindOf(value[i])}`)
  }
  return [...new Set<string>(value)]
}

/** The places of a keyword's list of subschemas. */
export const placesOfList = (
  value: unknown,
  place: SchemaPlace,
  keyword: string,
  compiler: Compiler,
): readonly SchemaLocation[] => {
  if (!Array.isArray(value))
    throw invalid(`${place.path}/${keyword}`, `must be a list of schemas, got ${kindOf(value)}`)
  if (value.length === 0) throw invalid(`${place.path}/${keyword}`, 'must hold at least one schema')
  return value.map((_item, index) => compiler.document.at(place, keyword, index))
}

/** The places of a keyword's subschemas by name. */
export const placesOfMap = (
  value: unknown,
  place: SchemaPlace,
  keyword: string,
  compiler: Compiler,
): readonly (readonly [string, SchemaLocation])[] => {
  if (!isObject(value)) throw invalid(`${place.path}/${keyword}`, `must map names to schemas, got ${kindOf(value)}`)
  return Object.keys(value).map((name) => [name, compiler.document.at(place, keyword, name)] as const)
}

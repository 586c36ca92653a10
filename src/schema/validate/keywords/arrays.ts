import { kindOf } from '../../../model/json.js'
import { deepEqual, hashOf } from '../../equal.js'
import type { Compiler, Keyword, SchemaPlace } from '../compiler.js'
import { invalid } from '../document.js'
import { type Check, descend, matches, pass, refuse, refuseAt, spend, type ValidationRun } from '../run.js'
import { countParameter, placesOfList } from './parameters.js'

export const minItems: Keyword = (parameter, place) => {
  const limit = countParameter(parameter, place, 'minItems')
  const message = `must have at least ${limit} items`
  return (value, run) => !Array.isArray(value) || value.length >= limit || refuse(run, 'minItems', message)
}

export const maxItems: Keyword = (parameter, place) => {
  const limit = countParameter(parameter, place, 'maxItems')
  const message = `must have at most ${limit} items`
  return (value, run) => !Array.isArray(value) || value.length <= limit || refuse(run, 'maxItems', message)
}

export const uniqueItems: Keyword = (parameter, place) => {
  if (typeof parameter !== 'boolean') {
    throw invalid(`${place.path}/uniqueItems`, `must be true or false, got ${kindOf(parameter)}`)
  }
  if (!parameter) return undefined
  return (value, run) => {
    if (!Array.isArray(value) || value.length < 2) return true
    const twin = firstTwin(value, run)
    return twin < 0 || refuseAt(run, twin, 'uniqueItems', 'repeats an earlier item; items must be unique')
  }
}

/** Plain values by themselves; the others by a number that equal ones share, since comparing each pair takes 1.1 s for 5,000 objects. */
const firstTwin = (items: readonly unknown[], run: ValidationRun): number => {
  const work = (steps: number): void => spend(run, steps)
  const plain = new Set<unknown>()
  const nested = new Map<number, unknown[]>()
  for (let i = 0; i < items.length; i++) {
    spend(run, 1)
    const item = items[i]
    if (typeof item !== 'object' || item === null) {
      if (plain.has(item)) return i
      plain.add(item)
      continue
    }
    const number = hashOf(item, work)
    const alike = nested.get(number)
    if (alike?.some((other) => deepEqual(item, other, work))) return i
    if (alike === undefined) nested.set(number, [item])
    else alike.push(item)
  }
  return -1
}

/** 2020-12: what follows `prefixItems`. Older drafts: every item, or a list by position. */
export const items: Keyword = (parameter, place, compiler) => {
  if (Array.isArray(parameter)) {
    if (compiler.document.dialect !== '2020-12' || compiler.document.lenient) return tuple('items', place, compiler)
    throw invalid(`${place.path}/items`, 'must be one schema; 2020-12 lists schemas by position in prefixItems')
  }
  const prefix = compiler.document.dialect === '2020-12' ? place.schema.prefixItems : undefined
  return rest('items', Array.isArray(prefix) ? prefix.length : 0, place, compiler)
}

export const prefixItems: Keyword = (_parameter, place, compiler) => tuple('prefixItems', place, compiler)

/** Only beside a list of `items`. */
export const additionalItems: Keyword = (_parameter, place, compiler) => {
  const listed = place.schema.items
  return Array.isArray(listed) ? rest('additionalItems', listed.length, place, compiler) : undefined
}

const tuple = (keyword: string, place: SchemaPlace, compiler: Compiler): Check => {
  const value = place.schema[keyword]
  if (Array.isArray(value) && value.length === 0) return pass
  const checks = placesOfList(value, place, keyword, compiler).map((item) => compiler.member(item))
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let ok = true
    for (let i = 0; i < checks.length && i < value.length; i++) {
      if (descend(checks[i]!, value[i], i, run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

const rest = (keyword: string, from: number, place: SchemaPlace, compiler: Compiler): Check => {
  const target = compiler.document.at(place, keyword)
  if (target.schema === false) return noMore(from, keyword)
  const check = compiler.member(target)
  const weight = compiler.weigh(target)
  return (value, run) => {
    if (!Array.isArray(value) || value.length <= from) return true
    let ok = true
    for (let i = from; i < value.length; i++) {
      spend(run, weight)
      if (descend(check, value[i], i, run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

const noMore = (limit: number, keyword: string): Check => {
  const message = limit === 0 ? 'must be empty' : `must have at most ${limit} items`
  return (value, run) => !Array.isArray(value) || value.length <= limit || refuse(run, keyword, message)
}

export const contains: Keyword = (_parameter, place, compiler) => {
  const target = compiler.document.at(place, 'contains')
  const check = compiler.member(target)
  const { min, max } = containsBounds(place, compiler)
  const weight = compiler.weigh(target)
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let count = 0
    for (let i = 0; i < value.length && count <= max; i++) {
      spend(run, weight)
      if (matches(check, value[i], run)) count += 1
    }
    if (count < min) return refuse(run, 'contains', `must contain at least ${min} of the items asked for`)
    return count <= max || refuse(run, 'maxContains', `must contain at most ${max} of the items asked for`)
  }
}

const containsBounds = (place: SchemaPlace, compiler: Compiler): { readonly min: number; readonly max: number } => {
  const { minContains, maxContains } = place.schema
  if (compiler.document.dialect === 'draft-07') return { min: 1, max: Infinity }
  return {
    min: minContains === undefined ? 1 : countParameter(minContains, place, 'minContains'),
    max: maxContains === undefined ? Infinity : countParameter(maxContains, place, 'maxContains'),
  }
}

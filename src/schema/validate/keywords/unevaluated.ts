import type { Keyword } from '../compiler.js'
import { marksBeside, Seen } from '../evaluated.js'
import { descend, isObject, keysOf, refuseAt, spend } from '../run.js'
import { judgeExtra } from './objects.js'

export const unevaluatedProperties: Keyword = (_parameter, place, compiler) => {
  const target = compiler.document.at(place, 'unevaluatedProperties')
  if (target.schema === true) return undefined
  const check = target.schema === false ? undefined : compiler.member(target)
  const weight = compiler.weigh(target)
  const marks = lazy(() => marksBeside(place, compiler))
  return (value, run) => {
    if (!isObject(value)) return true
    const keys = keysOf(value, run)
    if (keys.length === 0) return true
    const seen = new Seen()
    marks()(value, run, seen)
    if (seen.everyProperty) return true
    let ok = true
    for (const key of keys) {
      if (seen.properties.has(key) || value[key] === undefined) continue
      spend(run, weight)
      if (judgeExtra(check, value[key], key, 'unevaluatedProperties', run)) continue
      if (run.problems === undefined) return false
      ok = false
    }
    return ok
  }
}

export const unevaluatedItems: Keyword = (_parameter, place, compiler) => {
  const target = compiler.document.at(place, 'unevaluatedItems')
  if (target.schema === true) return undefined
  const check = target.schema === false ? undefined : compiler.member(target)
  const weight = compiler.weigh(target)
  const marks = lazy(() => marksBeside(place, compiler))
  return (value, run) => {
    if (!Array.isArray(value) || value.length === 0) return true
    const seen = new Seen()
    marks()(value, run, seen)
    if (seen.everyItem) return true
    let ok = true
    for (let i = seen.itemsBefore; i < value.length; i++) {
      spend(run, weight)
      if (seen.items.has(i)) continue
      if (check === undefined) ok = refuseAt(run, i, 'unevaluatedItems', 'is one item too many')
      else if (!descend(check, value[i], i, run)) ok = false
      if (!ok && run.problems === undefined) return false
    }
    return ok
  }
}

/** The schemas around may not be compiled yet when this keyword is. */
const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

import { kindOf } from '../../../model/json.js'
import { deepEqual, hashOf } from '../../equal.js'
import type { Keyword } from '../compiler.js'
import { invalid } from '../document.js'
import { type Check, isObject, refuse, spend } from '../run.js'

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const typeTests: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['string', (value: unknown) => typeof value === 'string'],
  // JSON has no NaN and no Infinity; `1e400` parses to the latter.
  ['number', (value: unknown) => typeof value === 'number' && Number.isFinite(value)],
  ['integer', (value: unknown) => Number.isInteger(value)],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['object', isObject],
  ['array', (value: unknown) => Array.isArray(value)],
  ['null', (value: unknown) => value === null],
])

export const type: Keyword = (value, place) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (names.length === 0) throw invalid(`${place.path}/type`, 'must name at least one type')
  const tests = names.map((name) => {
    const test = typeof name === 'string' ? typeTests.get(name) : undefined
    if (test !== undefined) return test
    const got = typeof name === 'string' ? `'${name.slice(0, 40)}'` : kindOf(name)
    throw invalid(`${place.path}/type`, `must be one of ${[...typeTests.keys()].join(', ')}, got ${got}`)
  })
  const wanted = `must be ${names.map((name) => articles[name as string]).join(' or ')}, got `
  return tests.length === 1 ? oneType(tests[0]!, wanted) : someType(tests, wanted)
}

const oneType =
  (test: (value: unknown) => boolean, wanted: string): Check =>
  (value, run) =>
    test(value) || refuse(run, 'type', wanted + kindOf(value))

const someType =
  (tests: readonly ((value: unknown) => boolean)[], wanted: string): Check =>
  (value, run) => {
    for (let i = 0; i < tests.length; i++) if (tests[i]!(value)) return true
    return refuse(run, 'type', wanted + kindOf(value))
  }

export const constant: Keyword = (expected) => {
  const message = `must be ${shown(expected)}`
  return (value, run) => deepEqual(expected, value, (steps) => spend(run, steps)) || refuse(run, 'const', message)
}

export const enumeration: Keyword = (values, place, compiler) => {
  const path = `${place.path}/enum`
  if (!Array.isArray(values)) throw invalid(path, `must be a list of values, got ${kindOf(values)}`)
  const { maxEnum } = compiler.limits
  if (values.length > maxEnum) throw invalid(path, `lists more than ${maxEnum} values; use a pattern or a search tool`)
  const plain = new Set<unknown>(values.filter((item) => typeof item !== 'object' || item === null))
  const nested = new Map<number, unknown[]>()
  for (const item of values) {
    if (typeof item !== 'object' || item === null) continue
    const hash = hashOf(item, () => {})
    const alike = nested.get(hash)
    if (alike === undefined) nested.set(hash, [item])
    else alike.push(item)
  }
  const message = oneOf(values)
  return (value, run) => {
    if (plain.has(value)) return true
    if (nested.size > 0 && typeof value === 'object' && value !== null) {
      const work = (steps: number): void => spend(run, steps)
      if (nested.get(hashOf(value, work))?.some((item) => deepEqual(item, value, work))) return true
    }
    return refuse(run, 'enum', message)
  }
}

const oneOf = (values: readonly unknown[]): string => {
  const first = values.slice(0, 10).map(shown)
  const rest = values.length - first.length
  return `must be one of ${first.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A value of the schema, never of the arguments; long ones only by kind. */
const shown = (value: unknown): string => {
  if (typeof value === 'object' && value !== null) return `the given ${kindOf(value)}`
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

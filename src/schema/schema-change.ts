import { isRecord } from '../model/json.js'
import { canonicalJson } from './canonical.js'
import type { DefinitionDifference } from './change-kinds.js'
import { compareKeyword } from './keyword-change.js'

/** Deeper than any schema that passes our own bounds. */
const deepest = 100

/** Everything that differs between two JSON Schemas, each with what it means. Pure; conservative where it is not sure. */
export const compareSchemas = (
  before: unknown,
  after: unknown,
  path: string,
  depth = 0,
): readonly DefinitionDifference[] => {
  if (isSame(before, after)) return []
  if (depth > deepest) return [{ path, kind: 'other' }]
  const [was, is] = [toObject(before), toObject(after)]
  if (was === undefined || is === undefined) return [{ path, kind: 'other' }]
  if (is === 'nothing') return [{ path, kind: 'narrowing' }]
  if (was === 'nothing') return [{ path, kind: 'widening' }]
  const keywords = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
  return keywords.flatMap((keyword) => {
    const one = own(was, keyword)
    const other = own(is, keyword)
    if (isSame(one, other)) return []
    return compareKeyword(keyword, one, other, {
      was,
      is,
      path: `${path}.${keyword}`,
      compare: (inner, next, at) => compareSchemas(inner, next, at, depth + 1),
    })
  })
}

/** Equal as JSON, whatever the order of keys. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || ((one === undefined) === (other === undefined) && canonicalJson(one) === canonicalJson(other))

type SchemaObject = Readonly<Record<string, unknown>>

/** `true` and a missing schema take anything, as `{}` does; `false` takes nothing. */
const toObject = (schema: unknown): SchemaObject | 'nothing' | undefined => {
  if (schema === undefined || schema === true) return {}
  if (schema === false) return 'nothing'
  return isRecord(schema) ? schema : undefined
}

const own = (object: SchemaObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

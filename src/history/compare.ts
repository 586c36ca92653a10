import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../model/json.js'

/** One place at which two values are not the same. */
export interface Difference {
  /** A JSON Pointer; `""` is the whole. */
  readonly at: string
  readonly change: 'added' | 'removed' | 'changed'
  /** The beginning of each as JSON. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

export interface Comparison {
  readonly differences: readonly Difference[]
  /** There are more than those. */
  readonly isMore: boolean
}

const mostDifferences = 50
const longestText = 500
const deepest = 32

/** Where two JSON values differ, from the outside in: a place is told where nothing in it can be told apart any further. */
export const compare = (before: unknown, after: unknown): Comparison => {
  const differences: Difference[] = []
  let isMore = false
  const note = (difference: Difference): void => {
    if (differences.length < mostDifferences) differences.push(difference)
    else isMore = true
  }
  const walk = (was: unknown, is: unknown, at: string, depth: number): void => {
    if (isMore || isDeepStrictEqual(was, is)) return
    const [wasIn, isIn] = [membersOf(was), membersOf(is)]
    if (!wasIn || !isIn || Array.isArray(was) !== Array.isArray(is) || depth >= deepest)
      return note({ at, change: 'changed', before: shown(was), after: shown(is) })
    for (const [key, value] of wasIn) {
      const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (isIn.has(key)) walk(value, isIn.get(key), place, depth + 1)
      else note({ at: place, change: 'removed', before: shown(value) })
    }
    for (const [key, value] of isIn)
      if (!wasIn.has(key))
        note({ at: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, change: 'added', after: shown(value) })
  }
  walk(before, after, '', 0)
  return { differences, isMore }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [String(index), item]))
  return isRecord(value) ? new Map(Object.entries(value)) : undefined
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'null').slice(0, longestText)

import { isRecord } from '../model/json.js'
import type { ToolDefinition } from '../model/tool.js'
import type { ChangeKind, DefinitionDifference } from './change-kinds.js'
import { definitionHash, scriptIn } from './definition-hash.js'
import { deepEqual, type Work } from './equal.js'
import { compareKeyword } from './keyword-change.js'

/**
 * `same`: nothing that anybody reads or passes. `minor`: spelling, or less is taken than before; noted, and the tool stays
 * usable. `major`: other words, or more is taken or done; somebody should look (T17, U3).
 */
export type ChangeWeight = 'same' | 'minor' | 'major'

export interface DefinitionChange {
  readonly weight: ChangeWeight
  readonly changes: readonly DefinitionDifference[]
}

const words = ['name', 'title', 'description', 'annotations', 'icons'] as const

/** How a tool's definition differs from the one that was approved. Pure; what it is not sure of is `major`. */
export const compareDefinitions = (before: ToolDefinition, after: ToolDefinition): DefinitionChange => {
  if (definitionHash(before) === definitionHash(after)) return { weight: 'same', changes: [] }
  const said = words.flatMap((field): readonly DefinitionDifference[] =>
    isSame(before[field], after[field]) ? [] : [{ path: field, kind: 'words' }],
  )
  const isOtherScript = !isSame(scriptIn(before), scriptIn(after))
  const changes: readonly DefinitionDifference[] = [
    ...said,
    ...(isOtherScript ? [{ path: 'script', kind: 'other' } as const] : []),
    ...compareWhole(before.inputSchema, after.inputSchema, 'inputSchema'),
    ...compareWhole(before.outputSchema, after.outputSchema, 'outputSchema'),
  ]
  return { weight: changes.length > 0 && isMinor(changes) ? 'minor' : 'major', changes }
}

/** A place that is referred to from inside a `not` lets through more when it lets through less. */
const compareWhole = (before: unknown, after: unknown, path: string): readonly DefinitionDifference[] => {
  const changes = carefully(before, after, path)
  const refers = changes.length > 0 && /"\$(?:ref|dynamicRef|recursiveRef)"/.test(JSON.stringify([before, after]))
  return refers
    ? changes.map((change) => (change.kind === 'narrowing' ? { ...change, kind: 'other' } : change))
    : changes
}

// Values looked at. Two schemas that need more differ in a way that somebody should look at.
const mostWork = 1_000_000

const carefully = (before: unknown, after: unknown, path: string): readonly DefinitionDifference[] => {
  let left = mostWork
  const work: Work = (steps) => {
    left -= steps
    if (left < 0) throw new TooMuch()
  }
  try {
    return compareSchemas(before, after, path, work)
  } catch (thrown) {
    if (thrown instanceof TooMuch) return [{ path, kind: 'other' }]
    throw thrown
  }
}

class TooMuch {}

const held: ReadonlySet<ChangeKind> = new Set(['words', 'widening', 'other'])

/** Letting unknown properties in is spelling where nothing else changed; beside a property that is gone it is another name for it. */
const isMinor = (changes: readonly DefinitionDifference[]): boolean => {
  if (changes.some(({ kind }) => held.has(kind))) return false
  return !changes.some(({ kind }) => kind === 'opened') || changes.every(({ kind }) => kind !== 'narrowing')
}

/** Deeper than any schema that passes our own bounds. */
const deepest = 100

/** Everything that differs between two JSON Schemas, each with what it means. Pure; conservative where it is not sure. */
const compareSchemas = (
  before: unknown,
  after: unknown,
  path: string,
  work: Work,
  depth = 0,
): readonly DefinitionDifference[] => {
  work(1)
  if (isSame(before, after, work)) return []
  if (depth > deepest) return [{ path, kind: 'other' }]
  const [was, is] = [toObject(before), toObject(after)]
  if (was === undefined || is === undefined) return [{ path, kind: 'other' }]
  if (is === 'nothing') return [{ path, kind: 'narrowing' }]
  if (was === 'nothing') return [{ path, kind: 'widening' }]
  const keywords = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
  return keywords.flatMap((keyword) => {
    const one = own(was, keyword)
    const other = own(is, keyword)
    if (isSame(one, other, work)) return []
    return compareKeyword(keyword, one, other, {
      was,
      is,
      path: `${path}.${keyword}`,
      compare: (inner, next, at) => compareSchemas(inner, next, at, work, depth + 1),
    })
  })
}

/** Equal as JSON, whatever the order of keys. */
const isSame = (one: unknown, other: unknown, work?: Work): boolean => deepEqual(one, other, work)

type SchemaObject = Readonly<Record<string, unknown>>

/** `true` and a missing schema take anything, as `{}` does; `false` takes nothing. */
const toObject = (schema: unknown): SchemaObject | 'nothing' | undefined => {
  if (schema === undefined || schema === true) return {}
  if (schema === false) return 'nothing'
  return isRecord(schema) ? schema : undefined
}

const own = (object: SchemaObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

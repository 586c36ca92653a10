import type { ToolDefinition } from '../model/tool.js'
import type { ChangeKind, DefinitionDifference } from './change-kinds.js'
import { definitionHash } from './definition-hash.js'
import { compareSchemas, isSame } from './schema-change.js'

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
  const changes = [
    ...said,
    ...compareWhole(before.inputSchema, after.inputSchema, 'inputSchema'),
    ...compareWhole(before.outputSchema, after.outputSchema, 'outputSchema'),
  ]
  return { weight: changes.length > 0 && isMinor(changes) ? 'minor' : 'major', changes }
}

/** A place that is referred to from inside a `not` lets through more when it lets through less. */
const compareWhole = (before: unknown, after: unknown, path: string): readonly DefinitionDifference[] => {
  const changes = compareSchemas(before, after, path)
  const refers = changes.length > 0 && /"\$(?:ref|dynamicRef|recursiveRef)"/.test(JSON.stringify([before, after]))
  return refers
    ? changes.map((change) => (change.kind === 'narrowing' ? { ...change, kind: 'other' } : change))
    : changes
}

const held: ReadonlySet<ChangeKind> = new Set(['words', 'widening', 'other'])

/** Letting unknown properties in is spelling where nothing else changed; beside a property that is gone it is another name for it. */
const isMinor = (changes: readonly DefinitionDifference[]): boolean => {
  if (changes.some(({ kind }) => held.has(kind))) return false
  return !changes.some(({ kind }) => kind === 'opened') || changes.every(({ kind }) => kind !== 'narrowing')
}

import { GatewayError } from '../errors.js'
import type { StoredTool, Temperature } from './store.js'
import { temperatures } from './stored-tool.js'

/** Everything a store holds at one moment, by id. Never edited: a change makes the next set. */
export type ToolSet = ReadonlyMap<string, StoredTool>

export type Change =
  | { readonly type: 'put'; readonly tools: readonly StoredTool[] }
  | { readonly type: 'delete'; readonly id: string }

export interface Applied {
  readonly next: ToolSet
  /** For each change, whether it did anything: what `delete` answers. */
  readonly effects: readonly boolean[]
}

export const applyChanges = (set: ToolSet, changes: readonly Change[]): Applied => {
  const next = new Map(set)
  const effects = changes.map((change) => {
    if (change.type === 'delete') return next.delete(change.id)
    for (const tool of change.tools) next.set(tool.id, tool)
    return change.tools.length > 0
  })
  return { next, effects }
}

export const toToolSet = (tools: Iterable<StoredTool>): ToolSet => new Map([...tools].map((tool) => [tool.id, tool]))

export const sortedTools = (tools: Iterable<StoredTool>): readonly StoredTool[] =>
  [...tools].sort((a, b) => compareIds(a.id, b.id))

export const pickTemperature = (set: ToolSet, temperature: Temperature, limit?: number): readonly StoredTool[] => {
  checkTemperature(temperature, limit)
  return [...set.values()]
    .filter((tool) => tool.temperature === temperature)
    .sort((a, b) => b.useCount - a.useCount || compareIds(a.id, b.id))
    .slice(0, limit)
}

export const pickTag = (set: ToolSet, tag: string): readonly StoredTool[] =>
  sortedTools([...set.values()].filter((tool) => tool.tags.includes(tag)))

/** SQLite reads a negative limit as "no limit", document 002 as an error; every backend here takes the second view. */
export const checkTemperature = (temperature: Temperature, limit?: number): void => {
  if (!temperatures.includes(temperature))
    throw new GatewayError('ARGUMENTS_INVALID', `The temperature must be one of ${temperatures.join(', ')}.`)
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw new GatewayError('ARGUMENTS_INVALID', 'The limit must be a whole number from 0, or left out for all tools.')
}

/**
 * By code point, which is also the order of UTF-8 bytes, so that every database agrees with us. `<` on strings compares
 * UTF-16 units and puts surrogates (code points above U+FFFF) before U+E000–U+FFFF.
 */
export const compareIds = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
